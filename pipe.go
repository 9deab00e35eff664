package cmwq

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
)

// Done is what a Pipe sends: a *Done for each execution of an item.
type Done struct {
	ID      uuid.UUID // of this queueing
	Work    *Work     // nil for a function of Go
	Err     error     // nil; what the function returned; *PanicError, ErrGoexit; why it was dropped
	Attempt int       // executions of this queueing so far: 1, or more if it is retried; 0 if it was dropped before the first
}

// Pipe is a view of a queue: what is queued through it is told to an actor when it is
// done. It is a Queuer, and safe for concurrent use.
type Pipe struct {
	q   *Queue
	pid *actor.PID
}

// Piped gives the view of q whose results go to an actor of the system's actor system,
// as *Done, in the order in which items end.
//
//	pipe := cmwq.Piped(q, c.Self()) // in *actor.Started
//
// An item that the queue accepts is told when it ends, however it does, or when it is
// dropped; what is refused is not told, nor a Work that is cancelled before it began:
// who called knows. With retries each execution is told. The message is sent by the
// worker, or by who drops the item: an actor on protoactor's synchronized dispatcher
// would handle it there, and must not. pid must not be nil: Piped panics with
// ErrNoActor.
func Piped(q *Queue, pid *actor.PID) *Pipe {
	if pid == nil {
		panic(ErrNoActor)
	}
	return &Pipe{q, pid}
}

// Queue is that of the queue. Two allocations, and three when the item ends.
func (p *Pipe) Queue(w *Work) error { _, err := p.QueueID(w); return err }

// QueueID is Queue, and gives the ID that Done will have.
func (p *Pipe) QueueID(w *Work) (uuid.UUID, error) {
	d := p.delivery(w, w.Func)
	return d.id, p.q.q.Queue(&w.item, d.wrap(), p.q.chained)
}

// QueueContext is that of the queue.
func (p *Pipe) QueueContext(ctx context.Context, w *Work) error {
	d := p.delivery(w, w.Func)
	return p.q.q.QueueContext(ctx, &w.item, d.wrap(), p.q.chained)
}

// QueueAfter is that of the queue.
func (p *Pipe) QueueAfter(after time.Duration, w *Work) error {
	d := p.delivery(w, w.Func)
	return p.q.q.QueueAfter(after, messages.AnyCPU, &w.item, d.wrap(), p.q.chained)
}

// Modify is that of the queue. Done tells of this queueing; of one that was pending, and
// that it takes the place of, the caller knows.
func (p *Pipe) Modify(after time.Duration, w *Work) (wasPending bool, err error) {
	d := p.delivery(w, w.Func)
	return p.q.q.Modify(after, messages.AnyCPU, &w.item, d.wrap(), p.q.chained)
}

// Go is that of the queue.
func (p *Pipe) Go(f func(*Context) error) error { _, err := p.GoID(f); return err }

// GoID is Go, and gives the ID that Done will have.
func (p *Pipe) GoID(f func(*Context) error) (uuid.UUID, error) {
	d := p.delivery(nil, f)
	return d.id, p.q.q.Queue(new(messages.Item), d.wrap(), p.q.chained)
}

// GoContext is that of the queue.
func (p *Pipe) GoContext(ctx context.Context, f func(*Context) error) error {
	return p.q.q.QueueContext(ctx, new(messages.Item), p.delivery(nil, f).wrap(), p.q.chained)
}

// delivery is one queueing of an item.
type delivery struct {
	pipe    *Pipe
	work    *Work
	f       func(*Context) error
	id      uuid.UUID
	attempt int
}

func (p *Pipe) delivery(w *Work, f func(*Context) error) *delivery {
	return &delivery{pipe: p, work: w, f: f, id: uuid.New()}
}

// wrap gives what the item calls. It is told, too, if it will not be called.
//
//go:noinline
func (d *delivery) wrap() func(*Context) error {
	if d.f == nil {
		return nil // the queue refuses it
	}
	return func(ctx *Context) error {
		if q := messages.Inquired(ctx); q != nil {
			q.Calls, q.Dropped = d.f, d.tell
			return nil
		}
		return d.run(ctx)
	}
}

var _ = messages.Wrapper((&delivery{f: func(*Context) error { return nil }}).wrap())

func (d *delivery) run(ctx *Context) (err error) {
	d.attempt++
	ended := false
	defer func() {
		if !ended {
			err = ErrGoexit
			if v := recover(); v != nil {
				err = &PanicError{Value: v, Stack: stack()}
			}
		}
		d.tell(err)
	}()
	err = actors.Overdue(ctx, d.f(ctx))
	ended = true
	return err
}

func (d *delivery) tell(err error) {
	d.pipe.q.sys.sys.Send(d.pipe.pid, &Done{ID: d.id, Work: d.work, Err: err, Attempt: d.attempt})
}
