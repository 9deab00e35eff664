package actors

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/cmwq/cmwq/messages"
)

type (
	// listPools asks the system's actor for the pools there are.
	listPools struct{ reply chan<- []*pool }
	// inspectPool asks a pool what it does.
	inspectPool struct {
		reply chan<- *poolAnswer // nil from a pool that has ended
	}
)

// IgnoreDeadLetterLogging keeps what comes after the end out of the log.
func (*listPools) IgnoreDeadLetterLogging() {}

// Snapshot asks every pool what it does, also while the system stops: a message to
// each, and none to a queue.
func (s *System) Snapshot(ctx context.Context) (*messages.Snapshot, error) {
	pools, err := s.listPools(ctx)
	if err != nil {
		return nil, err
	}
	queues := s.queueLooks() // before the pools are asked
	answers, err := s.askPools(ctx, pools)
	if err != nil {
		return nil, err
	}
	snap := &messages.Snapshot{At: time.Now(), Pools: make([]messages.PoolSnapshot, len(answers))}
	for i, a := range answers {
		snap.Pools[i] = a.PoolSnapshot
		queues.add(a)
	}
	snap.Queues = queues.snapshots()
	return snap, nil
}

// askPools gives the answers of those that have not ended, by number.
func (s *System) askPools(ctx context.Context, pools []*pool) ([]*poolAnswer, error) {
	reply := make(chan *poolAnswer, len(pools))
	for _, p := range pools {
		if _, ok := p.mb.post(&messages.NewControl(&inspectPool{reply}).Item); !ok {
			reply <- nil
		}
	}
	answers := make([]*poolAnswer, 0, len(pools))
	for range pools {
		select {
		case a := <-reply:
			if a != nil {
				answers = append(answers, a)
			}
		case <-s.gone:
			return nil, messages.ErrStopped
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	slices.SortFunc(answers, func(a, b *poolAnswer) int { return cmp.Compare(a.ID, b.ID) })
	return answers, nil
}

func (s *System) listPools(ctx context.Context) ([]*pool, error) {
	reply := make(chan []*pool, 1)
	s.as.Root.Send(s.root, &listPools{reply})
	select {
	case pools := <-reply:
		return pools, nil
	case <-s.gone:
		return nil, messages.ErrStopped
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// words are the queue's flags, for people.
func (q *Queue) words() []string {
	words := []string{q.opts.Kind.String()}
	fl := q.flags.Load()
	for _, f := range []struct {
		set  bool
		word string
	}{
		{q.opts.HighPri, "highpri"},
		{q.opts.CPUIntensive, "cpu_intensive"},
		{q.opts.MemReclaim, "mem_reclaim"},
		{q.opts.Freezable, "freezable"},
		{fl&draining != 0, "draining"},
		{fl&destroyed != 0, "destroyed"},
	} {
		if f.set {
			words = append(words, f.word)
		}
	}
	return words
}

// String names the kind.
func (k Kind) String() string {
	return [...]string{"managed", "percpu", "unbound", "ordered", "bh"}[k]
}
