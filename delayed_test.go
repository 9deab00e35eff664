package cmwq_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// Row 70.
func TestFlushOfAnArmedItemRunsItNow(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind)
				at := since()
				var ran record
				w := cmwq.NewWork(func(ctx *cmwq.Context) error { ran.add(at()); return ctx.Sleep(10 * ms) })
				require.NoError(t, q.QueueAfter(time.Hour, w))
				require.NoError(t, w.Flush(bg))
				require.Equal(t, []int{0}, ran.get(), "now")
				require.Equal(t, 10, at(), "and it waited for the end")
				require.Equal(t, cmwq.Busy{}, w.Busy())
				time.Sleep(2 * time.Hour)
				synctest.Wait()
				require.Len(t, ran.get(), 1, "the timer does not fire as well")

				// Armed while it runs: both runs are waited for.
				require.NoError(t, q.Queue(w))
				time.Sleep(5 * ms)
				require.NoError(t, q.QueueAfter(time.Hour, w))
				begin := at()
				require.NoError(t, w.Flush(bg))
				require.Equal(t, begin+15, at())
				require.Len(t, ran.get(), 3)
			})
		})
	}
}

// Row 72: a flush of the queue waits for what is inactive as well, and for no timer.
func TestFlushQueueWaitsForInactiveItemsNotForTimers(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind, cmwq.MaxActive(1))
				at := since()
				ran := 0
				sleep := func(ctx *cmwq.Context) error { ran++; return ctx.Sleep(10 * ms) }
				armed := cmwq.NewWork(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Second) })
				require.NoError(t, q.QueueAfter(35*ms, armed))
				for range 3 {
					require.NoError(t, q.QueueOn(0, cmwq.NewWork(sleep)))
				}
				synctest.Wait()
				require.Equal(t, 1, ran, "two are inactive")
				require.NoError(t, q.Flush(bg))
				require.Equal(t, []int{3, 30}, []int{ran, at()})
				require.True(t, armed.Pending(), "armed still")
				require.True(t, armed.Cancel())
			})
		})
	}
}

// Row 83.
func TestCancelOfDelayedWork(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind, cmwq.MaxActive(1))
				var ran atomic.Int32
				w := cmwq.NewWork(func(ctx *cmwq.Context) error { ran.Add(1); return ctx.Sleep(10 * ms) })
				cancels := map[string]func() bool{
					"cancel":      w.Cancel,
					"cancel wait": func() bool { was, err := w.CancelWait(bg); require.NoError(t, err); return was },
				}
				for name, cancel := range cancels {
					before := ran.Load()
					require.NoError(t, q.QueueAfter(10*ms, w))
					require.True(t, cancel(), "%s: armed", name)
					require.Equal(t, cmwq.Busy{}, w.Busy())
					time.Sleep(20 * ms)
					synctest.Wait()
					require.Equal(t, before, ran.Load(), "it never fires")

					g := newGate()
					require.NoError(t, q.QueueOn(0, g.Work))
					<-g.entered
					require.NoError(t, q.QueueAfterOn(0, 10*ms, w))
					time.Sleep(20 * ms)
					require.True(t, cancel(), "%s: it fired, and is on the list", name)
					g.open <- struct{}{}
					require.NoError(t, q.Flush(bg))
					require.Equal(t, before, ran.Load())

					require.NoError(t, q.QueueAfter(10*ms, w))
					time.Sleep(15 * ms)
					require.False(t, cancel(), "%s: it runs", name)
					require.NoError(t, q.Flush(bg))
					require.Equal(t, before+1, ran.Load())
				}
			})
		})
	}
}

// Row 84, first half; the other is TestModifyMovesToTheTail.
func TestModifyOfDelayedWork(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind)
				p := queue(t, sys, "p", kind)
				at := since()
				var ran record
				w := cmwq.NewWork(func(ctx *cmwq.Context) error {
					ran.add(at())
					if cmwq.CurrentQueue(ctx).Name() != "q" {
						t.Error("on the wrong queue")
					}
					return nil
				})
				modify := func(q *cmwq.Queue, d time.Duration) bool {
					was, err := q.Modify(d, w)
					require.NoError(t, err)
					return was
				}
				require.False(t, modify(q, 50*ms), "idle: armed")
				require.True(t, modify(q, 20*ms), "armed: one firing, at the new time")
				time.Sleep(100 * ms)
				require.Equal(t, []int{20}, ran.get())
				require.False(t, modify(p, 50*ms))
				require.True(t, modify(q, 30*ms), "armed for another queue: it goes to this one")
				time.Sleep(100 * ms)
				require.Equal(t, []int{20, 130}, ran.get())
				require.False(t, modify(q, 0), "idle, no delay: queued")
				require.NoError(t, w.Flush(bg))
				require.Equal(t, []int{20, 130, 200}, ran.get())
			})
		})
	}
}

// Row 92: an item that comes due while its queue drains is dropped, and whoever armed
// it can arm it again afterwards, as it is idle.
func TestDelayedItemThatComesDueDuringADrainIsDropped(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind)
				g := newGate()
				require.NoError(t, q.Queue(g.Work))
				<-g.entered
				var ran atomic.Int32
				w := cmwq.NewWork(func(*cmwq.Context) error { ran.Add(1); return nil })
				late := cmwq.NewWork(w.Func)
				require.NoError(t, q.QueueAfter(10*ms, w))
				require.NoError(t, q.QueueAfter(time.Hour, late))
				drained := make(chan error, 1)
				go func() { drained <- q.Drain(bg) }()
				time.Sleep(20 * ms)
				require.Equal(t, cmwq.Busy{}, w.Busy())
				require.True(t, late.Pending(), "one that is not due yet stays armed")
				g.open <- struct{}{}
				require.NoError(t, <-drained)
				require.Zero(t, ran.Load())
				st, err := q.Stats(bg)
				require.NoError(t, err)
				require.EqualValues(t, 1, st.Dropped, "it is reported")
				require.NoError(t, q.QueueAfter(10*ms, w))
				time.Sleep(time.Hour)
				synctest.Wait()
				require.EqualValues(t, 2, ran.Load())
			})
		})
	}
}

// Arm, move and cancel from many goroutines: each accepted instance runs or is cancelled.
func TestStressDelayed(t *testing.T) {
	machine, cpus := pods(t, twoPods)
	sys := start(t, machine)
	q := queue(t, sys, "q", cmwq.PerCPU())
	var ran, accepted, cancelled atomic.Int64
	var wg sync.WaitGroup
	works := make([]*cmwq.Work, 4)
	for i := range works {
		works[i] = cmwq.NewWork(func(*cmwq.Context) error { ran.Add(1); return nil })
	}
	for p := range 4 {
		wg.Go(func() {
			for i := range 2000 {
				w, d := works[(p+i)%len(works)], time.Duration(i%5)*20*time.Microsecond
				switch i % 4 {
				case 0:
					if q.QueueAfterOn(i%cpus, d, w) == nil {
						accepted.Add(1)
					}
				case 1, 2:
					was, err := q.ModifyOn((i+p)%cpus, d, w)
					if err != nil {
						t.Error(err)
					} else if !was {
						accepted.Add(1)
					}
				default:
					if w.Cancel() {
						cancelled.Add(1)
					}
				}
			}
		})
	}
	wg.Wait()
	for _, w := range works {
		require.NoError(t, w.Flush(bg))
	}
	require.Equal(t, accepted.Load(), ran.Load()+cancelled.Load())
}
