package cmwq_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// newWaiter makes an item that does as it is told.
func newWaiter() *waiter {
	w := &waiter{todo: make(chan func(context.Context) error), done: make(chan error, 1)}
	w.Work = cmwq.NewWork(func(ctx *cmwq.Context) error {
		for {
			f, _ := cmwq.Await(ctx, w.todo)
			if f == nil {
				return nil
			}
			w.done <- f(ctx)
		}
	})
	return w
}

func (w *waiter) end() { w.todo <- nil }

// waits has the item wait, and gives what that returned at once; ok is false if it
// still waits.
func (w *waiter) waits(f func(ctx context.Context) error) (err error, ok bool) {
	w.todo <- f
	synctest.Wait()
	return w.said()
}

func (w *waiter) said() (err error, ok bool) {
	select {
	case err = <-w.done:
		return err, true
	default:
		return nil, false
	}
}

// requireStuck has the item wait for what never comes, of queue "q".
func (w *waiter) requireStuck(t *testing.T, f func(ctx context.Context) error) {
	t.Helper()
	err, ok := w.waits(f)
	require.True(t, ok, "it waits for ever")
	requireDeadlock(t, err, "q", "q")
}

// An item waits for one that is behind it with its key, or behind one that it is
// itself, or that its slot holds up: in whichever way its key waits, it is told at
// once.
func TestAWaitForALaterItemOfAKeyIsADeadlock(t *testing.T) {
	for name, tt := range map[string]struct {
		opts  []cmwq.QueueOption
		setup func(t *testing.T, q *cmwq.Queue, w *waiter, later *cmwq.Work)
	}{
		"its own": {nil, func(t *testing.T, q *cmwq.Queue, w *waiter, later *cmwq.Work) {
			require.NoError(t, q.Keyed("k").Queue(w.Work))
			synctest.Wait()
			require.NoError(t, q.Keyed("k").Go(nop))
			require.NoError(t, q.Keyed("k").Queue(later))
		}},
		"first has no slot": {[]cmwq.QueueOption{cmwq.MaxActive(1)}, func(t *testing.T, q *cmwq.Queue, w *waiter, later *cmwq.Work) {
			require.NoError(t, q.Keyed("a").Queue(w.Work))
			synctest.Wait()
			require.NoError(t, q.Keyed("k").Go(nop))
			require.NoError(t, q.Keyed("k").Queue(later))
		}},
		"first is parked": {nil, func(t *testing.T, q *cmwq.Queue, w *waiter, later *cmwq.Work) {
			require.NoError(t, q.Keyed("a").Queue(w.Work))
			synctest.Wait()
			require.NoError(t, q.Keyed("k").Queue(w.Work))
			synctest.Wait()
			require.NoError(t, q.Keyed("k").Queue(later))
		}},
		"first is abroad": {[]cmwq.QueueOption{cmwq.PerCPU()}, func(t *testing.T, q *cmwq.Queue, w *waiter, later *cmwq.Work) {
			for cpu := range 4 { // on another CPU than the key's, three times of four
				if cpu > 0 {
					w.end()
				}
				require.NoError(t, q.QueueOn(cpu, w.Work))
				synctest.Wait()
				require.NoError(t, q.Keyed("k").Queue(w.Work))
				synctest.Wait()
				require.NoError(t, q.Keyed("k").Queue(later))
				w.requireStuck(t, later.Flush)
				require.True(t, w.Cancel())
				require.NoError(t, later.Flush(bg))
			}
			require.NoError(t, q.Keyed("k").Queue(w.Work))
			require.NoError(t, q.Keyed("k").Queue(later))
		}},
		"its slot is abroad": {[]cmwq.QueueOption{cmwq.Unbound(), cmwq.MaxActive(1)}, func(t *testing.T, q *cmwq.Queue, w *waiter, later *cmwq.Work) {
			// The item runs by way of another queue, and has the only slot of this one.
			require.NoError(t, q.Keyed("k").Queue(w.Work))
			synctest.Wait()
			require.NoError(t, q.Queue(later))
		}},
		"older pools": {nil, func(t *testing.T, q *cmwq.Queue, w *waiter, later *cmwq.Work) {
			require.NoError(t, q.Keyed("k").Queue(w.Work))
			synctest.Wait()
			require.NoError(t, q.SetAttrs(bg, cmwq.Affinity(topology.ScopeSystem, false)))
			require.NoError(t, q.Keyed("k").Queue(later))
		}},
		"pools before older pools": {nil, func(t *testing.T, q *cmwq.Queue, w *waiter, later *cmwq.Work) {
			require.NoError(t, q.Keyed("k").Queue(w.Work))
			synctest.Wait()
			for _, s := range scopes {
				require.NoError(t, q.SetAttrs(bg, cmwq.Affinity(s, false)))
				require.NoError(t, q.Keyed("k").Go(nop))
			}
			require.NoError(t, q.Keyed("k").Queue(later))
		}},
		"first has no slot on older pools": {[]cmwq.QueueOption{cmwq.MaxActive(1)}, func(t *testing.T, q *cmwq.Queue, w *waiter, later *cmwq.Work) {
			require.NoError(t, q.Keyed("a").Queue(w.Work))
			synctest.Wait()
			require.NoError(t, q.Keyed("k").Go(nop))
			require.NoError(t, q.SetAttrs(bg, cmwq.Affinity(topology.ScopeSystem, false)))
			require.NoError(t, q.Keyed("k").Queue(later))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			machine, _ := pods(t, fourPods)
			bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
				p, q := queue(t, sys, "p"), queue(t, sys, "q", tt.opts...)
				w, later := newWaiter(), cmwq.NewWork(nop)
				if name == "its slot is abroad" {
					require.NoError(t, p.Queue(w.Work))
					synctest.Wait()
				}
				tt.setup(t, q, w, later)
				synctest.Wait()
				if name == "its slot is abroad" {
					err, ok := w.waits(later.Flush)
					require.True(t, ok, "it waits for ever")
					requireDeadlock(t, err, "p", "q")
					err, ok = w.waits(q.Flush)
					require.True(t, ok, "it waits for ever for the queue")
					requireDeadlock(t, err, "p", "q")
				} else {
					w.requireStuck(t, later.Flush)
				}
				w.end()
				synctest.Wait()
				if w.Busy().Running {
					w.end()
				}
				require.NoError(t, q.Flush(bg), "it gave way")
			}, machine, noGauges(), cmwq.WithHogThreshold(0))
		})
	}
}

// An item waits for the value of one that it queues with its own key.
func TestAFutureOfTheSameKeyIsADeadlock(t *testing.T) {
	for name, kind := range keyedKinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind)
				value := func(key string) error {
					_, err := cmwq.Submit(q.Keyed("k"), func(ctx *cmwq.Context) (int, error) {
						return cmwq.Submit(q.Keyed(key), func(*cmwq.Context) (int, error) { return 1, nil }).Wait(ctx)
					}).Wait(bg)
					return err
				}
				require.ErrorIs(t, value("k"), cmwq.ErrDeadlock)
				require.NoError(t, value("other"))
			}, noGauges(), cmwq.WithHogThreshold(0))
		})
	}
}

// Items of two keys wait for what is behind the other: who closes the ring is told,
// and of whom.
func TestARingOverKeysIsADeadlock(t *testing.T) {
	machine, _ := pods(t, fourPods)
	for _, move := range []bool{false, true} {
		bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
			p, q := queue(t, sys, "p"), queue(t, sys, "q")
			row := []*waiter{newWaiter(), newWaiter(), newWaiter()}
			behind := []*cmwq.Work{cmwq.NewWork(nop), cmwq.NewWork(nop)}
			for i := range behind {
				require.NoError(t, q.Keyed(i).Queue(row[i].Work))
			}
			require.NoError(t, p.Queue(row[2].Work))
			synctest.Wait()
			if move {
				require.NoError(t, q.SetAttrs(bg, cmwq.Affinity(topology.ScopeSystem, false)))
			}
			for i, w := range behind {
				require.NoError(t, q.Keyed(i).Queue(w))
			}
			for i, next := range []func(context.Context) error{behind[1].Flush, row[2].Flush} {
				_, ok := row[i].waits(next)
				require.False(t, ok, "the ring is open")
			}
			err, ok := row[2].waits(behind[0].Flush)
			require.True(t, ok, "they wait for each other")
			requireDeadlock(t, err, "p", "q")
			var d *cmwq.DeadlockError
			require.ErrorAs(t, err, &d)
			require.True(t, d.For.Item)
			require.NotEmpty(t, d.Chain)
			row[2].end()
			require.NoError(t, <-row[1].done)
			row[1].end()
			require.NoError(t, <-row[0].done)
			row[0].end()
			require.NoError(t, q.Flush(bg))
		}, machine, noGauges(), cmwq.WithHogThreshold(0))
	}
}

// The items of a key that are left on another memory node need a slot there.
func TestAKeyThatNeedsASlotOfAnotherNodeIsADeadlock(t *testing.T) {
	machine, _ := pods(t, "numa:2 core:1")
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Unbound(), cmwq.MaxActive(1), cmwq.MinActive(1), cmwq.CPUs(cpuset.New(0)))
		w, later := newWaiter(), cmwq.NewWork(nop)
		require.NoError(t, q.Keyed("a").Queue(w.Work))
		synctest.Wait()
		require.NoError(t, q.Keyed("k").Go(nop))
		require.NoError(t, q.SetAttrs(bg, cmwq.CPUs(cpuset.New(1))))
		require.NoError(t, q.Keyed("b").Go(nop), "the other node has a slot")
		require.NoError(t, q.Keyed("k").Queue(later))
		w.requireStuck(t, later.Flush)
		w.end()
		require.NoError(t, q.Flush(bg))
	}, machine, noGauges(), cmwq.WithHogThreshold(0))
}
