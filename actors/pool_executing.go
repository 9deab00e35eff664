package actors

import (
	"context"

	"github.com/cmwq/cmwq/messages"
)

// execution is one execution of an item by a worker, and no other.
type execution struct {
	worker  *worker
	started int64 // of the lease
	taken   int   // which item of it, from 1
}

// isAt is what the worker is at, or was at last.
func (w *worker) isAt() execution {
	taken, _ := w.lease.Progress()
	return execution{w, w.lease.Started(), taken}
}

// goesOn says whether the worker is still at it. Anyone may ask.
func (x execution) goesOn() bool {
	return x.worker.phase.Load() != phaseDone && x.worker.isAt() == x
}

// executing is an execution and what the pool knows of it.
type executing struct {
	execution
	messages.InFlight
	queue, pool string
}

// whatRuns asks a pool for what its workers are at.
type whatRuns struct{ reply chan<- []executing }

func (m *whatRuns) read(p *pool)  { m.reply <- p.executing() }
func (m *whatRuns) refused(*pool) { m.reply <- nil }

// executing tells what the pool's workers are at, in the order of their leases.
func (p *pool) executing() (list []executing) {
	now := p.sys.now()
	for _, w := range p.leased {
		x := w.isAt()
		if e, ok := p.execution(w, now); ok {
			list = append(list, executing{x, e, w.share.queue.name, p.name})
		}
	}
	return list
}

// executing asks every pool what its workers are at. Pools are in order of their number.
func (s *System) executing(ctx context.Context) (all []executing, err error) {
	have, err := s.list(ctx)
	if err != nil {
		return nil, err
	}
	pools := have.pools
	replies := make([]chan []executing, len(pools))
	for i, p := range pools {
		replies[i] = make(chan []executing, 1)
		if _, ok := p.mb.post(&messages.NewControl(&whatRuns{replies[i]}).Item); !ok {
			replies[i] <- nil
		}
	}
	for _, r := range replies {
		select {
		case list := <-r:
			all = append(all, list...)
		case <-s.gone:
			return nil, messages.ErrStopped
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return all, nil
}
