package timelines

import (
	"cmp"
	"slices"
	"sync"
	"testing/synctest"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
)

// machine is a virtual machine in a bubble: CPUs that goroutines must hold while
// they burn, first come, first served, with a quantum or without. Who becomes
// ready within one instant is served by rank, since goroutines do that in any
// order.
type machine struct {
	cpus    int
	quantum time.Duration
	poke    chan struct{} // something changed; room for one

	mu      sync.Mutex
	ready   []*thread
	running []*thread
	leaving int // threads that gave their CPU back at left
	left    time.Time
}

type thread struct {
	rank    int
	at      time.Time     // ready since
	slice   time.Time     // on its CPU since
	holds   bool          // its own: it has a CPU
	late    bool          // it had to give way: others of this instant go first
	granted chan struct{} // room for one
	preempt chan struct{} // room for one
}

func newMachine(cpus int, quantum time.Duration) *machine {
	return &machine{cpus: cpus, quantum: quantum, poke: make(chan struct{}, 1)}
}

func newThread(rank int) *thread {
	return &thread{rank: rank, granted: make(chan struct{}, 1), preempt: make(chan struct{}, 1)}
}

func (m *machine) changed() {
	select {
	case m.poke <- struct{}{}:
	default:
	}
}

// hold waits for a CPU, unless the thread has one.
func (m *machine) hold(th *thread) {
	if th.holds {
		return
	}
	m.mu.Lock()
	th.at = time.Now()
	m.ready = append(m.ready, th)
	m.mu.Unlock()
	m.changed()
	<-th.granted
	th.holds, th.late = true, false
}

// leave gives the CPU back.
func (m *machine) leave(th *thread) {
	th.holds = false
	m.mu.Lock()
	m.running = slices.DeleteFunc(m.running, func(x *thread) bool { return x == th })
	if now := time.Now(); now != m.left {
		m.left, m.leaving = now, 0
	}
	m.leaving++
	m.mu.Unlock()
	select {
	case <-th.preempt: // too late
	default:
	}
	m.changed()
}

// burn uses d of CPU time. The thread has a CPU afterwards.
func (m *machine) burn(th *thread, d time.Duration) {
	for m.hold(th); ; m.hold(th) {
		began := time.Now()
		t := time.NewTimer(d)
		select {
		case <-t.C:
			return
		case <-th.preempt:
			t.Stop()
			if d -= time.Since(began); d <= 0 {
				return
			}
			m.leave(th)
			th.late = true
		}
	}
}

// schedule gives CPUs away whenever something changed and the bubble is idle,
// until stop is closed.
func (m *machine) schedule(stop <-chan struct{}) {
	for {
		select {
		case <-m.poke:
			synctest.Wait()
			m.assign()
		case <-stop:
			return
		}
	}
}

func (m *machine) assign() {
	m.mu.Lock()
	defer m.mu.Unlock()
	slices.SortStableFunc(m.ready, func(a, b *thread) int {
		return cmp.Or(a.at.Compare(b.at), order(a.late, b.late), cmp.Compare(a.rank, b.rank))
	})
	for len(m.running) < m.cpus && len(m.ready) > 0 {
		th := m.ready[0]
		m.ready = m.ready[1:]
		m.running = append(m.running, th)
		th.slice = time.Now()
		th.granted <- struct{}{}
	}
	if m.quantum == 0 || len(m.ready) == 0 {
		return
	}
	for _, th := range m.running {
		if left := m.quantum - time.Since(th.slice); left > 0 {
			time.AfterFunc(left, m.changed)
			continue
		}
		select {
		case th.preempt <- struct{}{}:
		default:
		}
	}
}

// gauges are what the Go scheduler would say of such a machine. A thread that gave
// its CPU back in this very instant is still on the way, on that CPU.
func (m *machine) gauges() policy.Gauges {
	m.mu.Lock()
	defer m.mu.Unlock()
	running := len(m.running)
	if time.Now().Equal(m.left) {
		running += m.leaving
	}
	return policy.Gauges{Running: running, Runnable: len(m.ready), Procs: m.cpus, Valid: true}
}

func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
