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
		reply chan<- *messages.PoolSnapshot // nil from a pool that has ended
	}
)

// IgnoreDeadLetterLogging keeps what comes after the end out of the log.
func (*listPools) IgnoreDeadLetterLogging() {}

// Snapshot asks every pool what it does, also while the system stops.
func (s *System) Snapshot(ctx context.Context) (*messages.Snapshot, error) {
	pools, err := s.listPools(ctx)
	if err != nil {
		return nil, err
	}
	snap := &messages.Snapshot{At: time.Now()}
	reply := make(chan *messages.PoolSnapshot, len(pools))
	for _, p := range pools {
		if _, ok := p.mb.post(&messages.NewControl(&inspectPool{reply}).Item); !ok {
			reply <- nil
		}
	}
	for range pools {
		select {
		case p := <-reply:
			if p != nil {
				snap.Pools = append(snap.Pools, *p)
			}
		case <-s.gone:
			return nil, messages.ErrStopped
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	slices.SortFunc(snap.Pools, func(a, b messages.PoolSnapshot) int { return cmp.Compare(a.ID, b.ID) })
	s.addQueues(snap)
	return snap, nil
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

// addQueues gathers the shares of each queue. A queue that has ended, and still has
// items, is told of, too.
func (s *System) addQueues(snap *messages.Snapshot) {
	queues := map[string]*messages.QueueSnapshot{}
	for q := range s.eachQueue() {
		queues[q.name] = &messages.QueueSnapshot{Name: q.name, Flags: q.words()}
	}
	for _, p := range snap.Pools {
		for _, sh := range p.Shares {
			q := queues[sh.Queue]
			if q == nil {
				q = &messages.QueueSnapshot{Name: sh.Queue, Flags: []string{"destroyed"}}
				queues[sh.Queue] = q
			}
			q.Shares = append(q.Shares, sh)
		}
	}
	for _, q := range queues {
		snap.Queues = append(snap.Queues, *q)
	}
	slices.SortFunc(snap.Queues, func(a, b messages.QueueSnapshot) int { return cmp.Compare(a.Name, b.Name) })
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
