package actors

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/messages"
)

// manager makes, culls and supervises a pool's workers. In the kernel the
// manager is a role that one worker at a time takes; here the role is this
// actor's mailbox.
type manager struct {
	pool *pool
	free []int          // numbers of workers that ended
	next int            // lowest number never used
	pids map[string]int // number of each worker
	max  int            // workers at most
	lack bool           // the last request failed

	stopping bool
}

func newManager(p *pool) *manager {
	return &manager{pool: p, pids: map[string]int{}, max: min(messages.MaxWorkers-messages.MaxRescuers, p.sys.opts.MaxWorkers)}
}

// Receive handles one request after the other.
func (m *manager) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case *actor.Stopping:
		m.stopping = true
	case *messages.NeedWorker:
		if m.stopping {
			return // a child made now would not be told to stop
		}
		for range msg.N {
			w, err := m.create(ctx)
			m.lacks(err)
			if err != nil {
				m.pool.created("", err)
				m.post(&messages.CreateFailed{Err: err})
				return
			}
			m.pool.created(w.name, nil)
			m.post(&messages.WorkerReady{Worker: w})
		}
	case *messages.Cull:
		w := msg.Worker.(*worker)
		m.pool.culled(w.name)
		ctx.Stop(w.pid)
	case *actor.Terminated:
		if n, ok := m.pids[msg.Who.Id]; ok {
			delete(m.pids, msg.Who.Id)
			m.free = append(m.free, n)
			m.pool.sys.disp.workers(-1)
			m.tryAgain()
		}
	}
}

func (m *manager) post(msg any) { m.pool.mb.post(&messages.NewControl(msg).Item) }

// create makes an idle worker, the kernel's create_worker.
func (m *manager) create(ctx actor.Context) (*worker, error) {
	n := m.next
	if k := len(m.free); k > 0 {
		n = m.free[k-1]
	}
	if len(m.pids) >= m.max {
		return nil, fmt.Errorf("cmwq: pool %s has all the workers it may have: %d", m.pool.name, m.max)
	}
	name := fmt.Sprintf("kworker/%s:%d", m.pool.name, n)
	if m.pool.high {
		name += "H"
	}
	if err := m.mayCreate(name); err != nil {
		return nil, err
	}
	w := newWorker(m.pool, n, name)
	props := m.pool.sys.props(func() actor.Actor { return w }).
		Configure(actor.WithMailbox(func() actor.Mailbox { return &w.box }))
	if m.pool.pin != nil {
		props = w.pin(props)
	}
	pid, err := ctx.SpawnNamed(props, name)
	if err != nil {
		w.thread.unused()
		return nil, createError("worker", name, err)
	}
	w.pid = pid
	m.pool.sys.disp.workers(1)
	m.pids[pid.Id] = n
	if n == m.next {
		m.next++
	} else {
		m.free = m.free[:len(m.free)-1]
	}
	return w, nil
}
