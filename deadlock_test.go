package cmwq_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// inItem runs f in an item of q and gives what it returned. An item that is in a
// wait which never ends fails the test after a virtual hour.
func inItem(t *testing.T, q *cmwq.Queue, f func(ctx *cmwq.Context, self *cmwq.Work) error) error {
	t.Helper()
	got := make(chan error, 1)
	var w *cmwq.Work
	w = cmwq.NewWork(func(ctx *cmwq.Context) error { got <- f(ctx, w); return nil })
	require.NoError(t, q.Queue(w))
	select {
	case err := <-got:
		return err
	case <-time.After(time.Hour):
		t.Fatal("it waits for ever")
		return nil
	}
}

// requireDeadlock checks the error's kind and what it names.
func requireDeadlock(t *testing.T, err error, queue, with string) {
	t.Helper()
	require.ErrorIs(t, err, cmwq.ErrDeadlock)
	var d *cmwq.DeadlockError
	require.ErrorAs(t, err, &d)
	require.Equal(t, queue, d.Who.Queue)
	require.Equal(t, with, d.For.Queue)
	require.True(t, d.Who.Item)
}

func TestAWaitForItselfIsADeadlock(t *testing.T) {
	for name, f := range map[string]func(ctx context.Context, q *cmwq.Queue, self *cmwq.Work) error{
		"flush": func(ctx context.Context, _ *cmwq.Queue, self *cmwq.Work) error { return self.Flush(ctx) },
		"cancel": func(ctx context.Context, _ *cmwq.Queue, self *cmwq.Work) error {
			_, err := self.CancelWait(ctx)
			return err
		},
		"disable": func(ctx context.Context, _ *cmwq.Queue, self *cmwq.Work) error {
			_, err := self.Disable(ctx)
			return err
		},
		"queue":   func(ctx context.Context, q *cmwq.Queue, _ *cmwq.Work) error { return q.Flush(ctx) },
		"drain":   func(ctx context.Context, q *cmwq.Queue, _ *cmwq.Work) error { return q.Drain(ctx) },
		"destroy": func(ctx context.Context, q *cmwq.Queue, _ *cmwq.Work) error { return q.Destroy(ctx) },
		"pending": func(ctx context.Context, q *cmwq.Queue, self *cmwq.Work) error {
			if err := q.Queue(self); err != nil { // it will run again, after this run
				return err
			}
			defer self.Cancel()
			return self.Flush(ctx)
		},
	} {
		for kind, opt := range kinds {
			t.Run(name+"/"+kind, func(t *testing.T) {
				bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
					q := queue(t, sys, "q", opt)
					err := inItem(t, q, func(ctx *cmwq.Context, self *cmwq.Work) error {
						child, cancel := context.WithCancel(ctx)
						defer cancel()
						err := f(child, q, self)
						if ctx.Err() != nil {
							return errors.New("the refusal cancelled the item")
						}
						if again := f(ctx, q, self); !errors.Is(again, cmwq.ErrDeadlock) {
							return again
						}
						return err
					})
					requireDeadlock(t, err, "q", "q")
					other := cmwq.NewWork(func(*cmwq.Context) error { return nil })
					require.NoError(t, q.Queue(other), "the queue goes on")
					require.NoError(t, q.Flush(bg))
				})
			})
		}
	}
}

func TestStopInsideAnItemIsADeadlock(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		err := inItem(t, q, func(ctx *cmwq.Context, _ *cmwq.Work) error { return sys.Stop(ctx) })
		requireDeadlock(t, err, "q", "")
		require.Contains(t, err.Error(), "would stop the system")
		require.NoError(t, q.Go(func(*cmwq.Context) error { return nil }), "nothing has happened")
		require.NoError(t, sys.Stop(bg))
	})
}

// An item that disables itself is disabled, though it cannot wait for its own end.
func TestAnItemMayDisableItself(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		var self *cmwq.Work
		err := inItem(t, q, func(ctx *cmwq.Context, w *cmwq.Work) error {
			self = w
			_, err := w.Disable(ctx)
			return err
		})
		require.ErrorIs(t, err, cmwq.ErrDeadlock)
		require.ErrorIs(t, q.Queue(self), cmwq.ErrDisabled)
		left, err := self.Enable()
		require.NoError(t, err)
		require.Zero(t, left)
	})
}

// What holds the only slot waits for what needs that slot.
func TestAWaitForALaterItemOfAOneAtATimeQueueIsADeadlock(t *testing.T) {
	machine, cpus := pods(t, fourPods)
	for name, opts := range map[string][]cmwq.QueueOption{
		"ordered": {cmwq.Ordered()}, "managed": {cmwq.MaxActive(1)},
		"percpu": {cmwq.PerCPU(), cmwq.MaxActive(1)}, "unbound": {cmwq.Unbound(), cmwq.MaxActive(1)},
	} {
		for _, wait := range []string{"flush", "future"} {
			if wait == "future" && name == "percpu" {
				continue // it may be on another CPU, and is not held up then
			}
			t.Run(name+"/"+wait, func(t *testing.T) {
				bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
					q := queue(t, sys, "q", opts...)
					later := cmwq.NewWork(func(*cmwq.Context) error { return nil })
					var fut *cmwq.Future[int]
					err := inItem(t, q, func(ctx *cmwq.Context, _ *cmwq.Work) error {
						if wait == "flush" {
							cpu := cpus - 1
							if name == "percpu" {
								cpu = ctx.CPU()
							}
							if err := q.QueueOn(cpu, later); err != nil {
								return err
							}
							return later.Flush(ctx)
						}
						fut = cmwq.Submit(q, func(*cmwq.Context) (int, error) { return 7, nil })
						_, err := fut.Wait(ctx)
						return err
					})
					requireDeadlock(t, err, "q", "q")
					require.NoError(t, q.Flush(bg), "and it runs, for nobody waits")
					if fut != nil {
						v, err := fut.Wait(bg)
						require.NoError(t, err)
						require.Equal(t, 7, v)
					}
				}, machine, noGauges(), cmwq.WithHogThreshold(0))
			})
		}
	}
}

// Two slots, and both items wait for one that needs a slot: neither sees it when
// it begins, and the second closes it.
func TestEverySlotWaitsForASlot(t *testing.T) {
	machine, _ := pods(t, twoPods)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(2))
		later := cmwq.NewWork(func(*cmwq.Context) error { return nil })
		errs := make(chan error, 2)
		go1 := make(chan struct{})
		for range 2 {
			require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
				if _, err := cmwq.Await(ctx, go1); err != nil {
					return err
				}
				errs <- later.Flush(ctx)
				return nil
			}))
		}
		synctest.Wait()
		require.NoError(t, q.Queue(later))
		synctest.Wait()
		go1 <- struct{}{}
		synctest.Wait()
		require.Empty(t, errs, "the other slot may come free")
		go1 <- struct{}{}
		require.ErrorIs(t, <-errs, cmwq.ErrDeadlock)
		require.NoError(t, <-errs, "the first went on in the slot of the second")
	}, machine, noGauges(), cmwq.WithHogThreshold(0))
}
