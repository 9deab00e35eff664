package actors

import (
	"runtime/metrics"
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
)

// Source is where ticks and the scheduler's gauges come from. Tests in virtual
// time have their own.
type Source interface {
	// NewTimer gives a one-shot timer that calls fire on a goroutine which run
	// starts; it may be armed again from fire.
	NewTimer(fire func(), run func(func())) (Timer, error)
	// Gauges reads the scheduler. It is called on the goroutine of a tick.
	Gauges() policy.Gauges
}

// Timer is a one-shot timer.
type Timer interface {
	Arm(d time.Duration)
	Close() error
}

// ticker ticks the pools where work waits, all with one timer, and only while
// there are such.
type ticker struct {
	timer   Timer
	armed   atomic.Bool
	waiting atomic.Pointer[pool] // A: pools to tick, linked by next
}

func newTicker(src Source, run func(func())) (*ticker, error) {
	t := &ticker{}
	timer, err := src.NewTimer(t.fire, run)
	t.timer = timer
	return t, err
}

// arm sees to it that the pool gets a tick within a tick period. The pool calls
// it once, and again after that tick.
func (t *ticker) arm(p *pool) {
	for {
		p.next = t.waiting.Load()
		if t.waiting.CompareAndSwap(p.next, p) {
			break
		}
	}
	if !t.armed.Load() && !t.armed.Swap(true) {
		t.timer.Arm(policy.TickPeriod)
	}
}

func (t *ticker) fire() {
	t.armed.Store(false) // before the list is read: who comes later arms again
	for p := t.waiting.Swap(nil); p != nil; {
		next := p.next // before the pool can arm again
		p.mb.postOnce(&p.tick)
		p = next
	}
}

// timerSource is the portable source: a runtime timer, which in an idle process
// is rounded up to a millisecond.
type timerSource struct{ gauges }

// NewTimer gives a timer of the runtime.
func (timerSource) NewTimer(fire func(), _ func(func())) (Timer, error) {
	t := time.AfterFunc(time.Hour, fire)
	t.Stop()
	return runtimeTimer{t}, nil
}

type runtimeTimer struct{ t *time.Timer }

func (t runtimeTimer) Arm(d time.Duration) { t.t.Reset(d) }
func (t runtimeTimer) Close() error        { t.t.Stop(); return nil }

// gauges reads runtime/metrics: 160 to 4400 ns, however many goroutines there are.
type gauges struct{}

// Gauges counts the caller's own goroutine, the tick, out.
func (gauges) Gauges() policy.Gauges {
	s := [...]metrics.Sample{
		{Name: "/sched/goroutines/running:goroutines"},
		{Name: "/sched/goroutines/runnable:goroutines"},
		{Name: "/sched/gomaxprocs:threads"},
	}
	metrics.Read(s[:])
	for _, x := range s {
		if x.Value.Kind() != metrics.KindUint64 {
			return policy.Gauges{}
		}
	}
	return policy.Gauges{
		Running: int(s[0].Value.Uint64()) - 1, Runnable: int(s[1].Value.Uint64()),
		Procs: int(s[2].Value.Uint64()), Valid: true,
	}
}
