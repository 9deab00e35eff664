package system

import (
	"runtime"
	"time"

	"github.com/cmwq/cmwq"
)

func cmwqItem() System {
	return System{
		Name: "cmwq item", Setup: "cmwq.New(), not logging; q.Queue(w) of reusable Work on a managed queue", Ours: true, Queues: true,
		Make: func(s Setup) (Executor, error) {
			o, err := newOurs(s)
			return &items{o, ringFor(s.Producers)}, err
		},
		Timers: func() (Timers, error) {
			o, err := newOurs(Setup{})
			return delayed{o}, err
		},
	}
}

type items struct {
	*ours
	ring int // items of a producer
}

// allItems is how many items all producers have together, each of which may be pending.
const allItems = 1 << 15

func ringFor(producers int) int { return max(64, allItems/max(producers, 1)) }

// Producer goes round a ring of items. One that is still pending is waited for, as a
// producer with a bounded number of items would.
func (e *items) Producer(task func()) func() {
	f := work(task)
	ring := make([]*cmwq.Work, e.ring)
	for i := range ring {
		ring[i] = cmwq.NewWork(f)
	}
	next := 0
	return func() {
		w := ring[next]
		if next++; next == len(ring) {
			next = 0
		}
		for e.q.Queue(w) != nil {
			runtime.Gosched()
		}
	}
}

// Queues gives n queues of one system.
func (e *items) Queues(n int) ([]Executor, error) {
	return e.queues(n, func(o *ours) Executor { return &items{o, ringFor(n)} })
}

func (e *items) Submit(body func(int), i int) {
	must(e.q.Queue(cmwq.NewWork(func(*cmwq.Context) error { body(i); return nil })))
}

func (e *items) SubmitSleeping(body func(int, func(time.Duration)), i int) {
	must(e.q.Queue(cmwq.NewWork(func(ctx *cmwq.Context) error {
		body(i, func(d time.Duration) { _ = ctx.Sleep(d) })
		return nil
	})))
}

// delayed arms items.
type delayed struct{ *ours }

func (d delayed) Arm(after time.Duration, body func(int), i int) Timer {
	w := cmwq.NewWork(func(*cmwq.Context) error { body(i); return nil })
	must(d.q.QueueAfter(after, w))
	return w
}

func (d delayed) Stop(t Timer) bool { return t.(*cmwq.Work).Cancel() }

func (d delayed) Reset(t Timer, after time.Duration) bool {
	was, err := d.q.Modify(after, t.(*cmwq.Work))
	must(err)
	return was
}
