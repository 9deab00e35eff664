package actors

import (
	"context"
	"errors"

	"github.com/cmwq/cmwq/messages"
)

// DeadLetters gives those that the queue has kept, oldest first.
func (q *Queue) DeadLetters(ctx context.Context) ([]messages.DeadLetter, error) {
	reply := make(chan []messages.DeadLetter, 1)
	return askFor(ctx, q, &listDead{reply: reply}, reply)
}

// take takes dead letters off the list; none named means all. Once asked for they
// are its caller's, so it waits for as long as the queue's actor is there.
func (q *Queue) take(ids []uint64) ([]*deadLetter, error) {
	reply := make(chan []*deadLetter, 1)
	return askFor(context.Background(), q, &takeDead{ids: ids, reply: reply}, reply)
}

// Discard forgets dead letters, and says how many there were.
func (q *Queue) Discard(ids []uint64) (int, error) {
	taken, err := q.take(ids)
	return len(taken), err
}

// Requeue queues dead letters anew, each with its key and on its CPU. Those that are
// refused stay dead letters.
func (q *Queue) Requeue(ids []uint64, chained bool) (n int, err error) {
	taken, err := q.take(ids)
	if err != nil {
		return 0, err
	}
	q.sys.settle() // who has just heard of a dead letter may find it pending still
	var refused []*deadLetter
	var errs []error
	for _, x := range taken {
		if err := q.revive(x, chained); err != nil {
			refused, errs = append(refused, x), append(errs, err)
		}
	}
	if refused != nil {
		done := make(chan error, 1)
		if err := q.ask(context.Background(), &giveDead{list: refused, done: done}, done); err != nil {
			errs = append(errs, err)
		}
	}
	return len(taken) - len(refused), errors.Join(errs...)
}

// revive queues one dead letter.
func (q *Queue) revive(x *deadLetter, chained bool) error {
	f := messages.Anew(x.f, q.sys.now())
	if k, ok := x.home.Owner.(*Keyed); ok {
		return k.Queue(x.item, f, chained)
	}
	if q.opts.Kind.perCPU() && x.cpu != messages.AnyCPU {
		if err := q.QueueOn(int(x.cpu), x.item, f, chained); !errors.Is(err, messages.ErrCPU) {
			return err
		}
	}
	return q.Queue(x.item, f, chained)
}
