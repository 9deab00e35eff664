package actors

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/cmwq/cmwq/messages"
)

// inspectPool asks a pool what it does.
type inspectPool struct {
	reply chan<- *poolAnswer // nil from a pool that has ended
}

// Snapshot asks every pool what it does, also while the system stops: a message to
// each, and none to a queue.
func (s *System) Snapshot(ctx context.Context) (*messages.Snapshot, error) {
	have, err := s.list(ctx)
	if err != nil {
		return nil, err
	}
	tally := have.tally() // before the pools are asked, and listed: one that is new may have run what has failed
	if have, err = s.list(ctx); err != nil {
		return nil, err
	}
	answers, err := s.askPools(ctx, have.pools)
	if err != nil {
		return nil, err
	}
	snap := &messages.Snapshot{At: time.Now(), SystemSnapshot: s.host(have), Pools: make([]messages.PoolSnapshot, len(answers))}
	for i, a := range answers {
		snap.Pools[i] = a.PoolSnapshot
		have.describe(a.pool, &snap.Pools[i])
		tally.add(a)
	}
	if err := tally.recall(ctx); err != nil {
		return nil, err
	}
	snap.Queues, snap.Hogs = tally.done(), s.lookout.recent.hogs()
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

// justKind are the words of most queues.
var justKind = [...][]string{{"managed"}, {"percpu"}, {"unbound"}, {"ordered"}, {"bh"}}

// words are the queue's flags, for people.
func (q *Queue) words() []string {
	words := justKind[q.opts.Kind][:1:1]
	fl := q.flags.Load()
	for _, f := range []struct {
		set  bool
		word string
	}{
		{q.opts.HighPri, "highpri"},
		{q.opts.CPUIntensive, "cpu_intensive"},
		{q.opts.MemReclaim, "mem_reclaim"},
		{q.opts.Freezable, "freezable"},
		{q.opts.Freezable && q.sys.frozen.Load(), "frozen"},
		{q.Paused(), "paused"},
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
