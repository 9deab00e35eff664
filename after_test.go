package cmwq_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

func pauses(d time.Duration) func(*cmwq.Context) error {
	return func(ctx *cmwq.Context) error { return ctx.Sleep(d) }
}

func TestAfterWaitsForAll(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
				from := queue(t, sys, "from")
				q := queue(t, sys, "q", kind)
				at := since()
				running, waiting, armed, idle := cmwq.NewWork(pauses(10*time.Millisecond)), cmwq.NewWork(pauses(5*time.Millisecond)), cmwq.NewWork(nop), cmwq.NewWork(nop)
				require.NoError(t, from.Queue(running))
				require.NoError(t, from.Keyed("k").Go(pauses(20*time.Millisecond)))
				require.NoError(t, from.Keyed("k").Queue(waiting))
				require.NoError(t, from.QueueAfter(40*time.Millisecond, armed))
				fut := cmwq.Submit(from, func(ctx *cmwq.Context) (int, error) { return 42, ctx.Sleep(30 * time.Millisecond) })
				began := map[string]int{}
				for what, after := range map[string]*cmwq.After{
					"running": q.After(running), "waiting": q.After(running, waiting), "future": q.Keyed(1).After(fut, waiting),
					"armed": q.After(idle, armed, fut), "idle": q.After(idle), "none": q.After(),
				} {
					w := cmwq.NewWork(func(*cmwq.Context) error { return nil })
					w.Func = func(*cmwq.Context) error { began[what] = at(); return nil }
					require.NoError(t, after.Queue(w))
					if what != "idle" && what != "none" {
						require.ErrorIs(t, after.Queue(w), cmwq.ErrPending)
					}
					synctest.Wait() // one at a time: began is a map
				}
				time.Sleep(100 * time.Millisecond)
				synctest.Wait()
				require.Equal(t, map[string]int{"running": 10, "waiting": 25, "future": 30, "armed": 40, "idle": 0, "none": 0}, began)
			})
		})
	}
}

// The last instance is what counts, wherever it is moved, and no later one.
func TestAfterCountsTheLastInstance(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		at := since()
		dep := cmwq.NewWork(pauses(10 * time.Millisecond))
		require.NoError(t, q.Queue(dep))
		synctest.Wait()
		require.NoError(t, q.Queue(dep), "it runs, and waits to run again")
		when := make(chan int, 2)
		require.NoError(t, q.After(dep).Go(func(*cmwq.Context) error { when <- at(); return nil }))
		require.Equal(t, 20, <-when)

		require.NoError(t, q.QueueAfter(time.Hour, dep))
		require.NoError(t, q.After(dep).Go(func(*cmwq.Context) error { when <- at(); return nil }))
		for _, d := range []time.Duration{time.Minute, 2 * time.Hour} {
			wasPending, err := q.Modify(d, dep)
			require.NoError(t, err)
			require.True(t, wasPending)
			wasPending, err = queue(t, sys, d.String()).Modify(d, dep)
			require.NoError(t, err)
			require.True(t, wasPending)
			synctest.Wait()
		}
		_, err := q.Modify(0, dep)
		require.NoError(t, err)
		require.Equal(t, 30, <-when)
	})
}

func TestAfterOnlyOK(t *testing.T) {
	fail := func(ctx *cmwq.Context) error { _ = ctx.Sleep(time.Millisecond); return errOops }
	for name, c := range map[string]struct {
		f    func(*cmwq.Context) error
		then func(t *testing.T, sys *cmwq.System, q *cmwq.Queue, dep *cmwq.Work)
		want error
	}{
		"error":    {f: fail, want: errOops},
		"panic":    {f: func(ctx *cmwq.Context) error { _ = fail(ctx); panic(errOops) }, want: errOops},
		"cancel":   {f: pauses(time.Hour), want: cmwq.ErrCancelled, then: func(_ *testing.T, _ *cmwq.System, _ *cmwq.Queue, dep *cmwq.Work) { dep.Cancel() }},
		"well":     {f: pauses(time.Millisecond)},
		"disabled": {f: pauses(time.Hour), want: context.Canceled, then: func(t *testing.T, _ *cmwq.System, _ *cmwq.Queue, dep *cmwq.Work) { _, _ = dep.CancelWait(bg) }},
	} {
		for _, armed := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
					from := queue(t, sys, "from", cmwq.Ordered())
					q := queue(t, sys, "q")
					dep := cmwq.NewWork(c.f)
					if armed {
						require.NoError(t, from.QueueAfter(time.Second, dep))
					} else {
						require.NoError(t, from.Go(pauses(10*time.Millisecond)))
						require.NoError(t, from.Queue(dep))
					}
					var ran atomic.Int32
					f := func(*cmwq.Context) (int, error) { ran.Add(1); return 1, nil }
					anyway, only := cmwq.Submit(q.After(dep), f), cmwq.Submit(q.After(dep).OnlyOK(), f)
					// It is found out along a chain, whose middle is fast.
					last := cmwq.Submit(q.After(only).OnlyOK(), f)
					middle := cmwq.NewWork(func(*cmwq.Context) error { return c.want })
					require.NoError(t, q.After(dep).Queue(middle))
					behind := cmwq.Submit(q.After(middle).OnlyOK(), f)
					if c.then != nil {
						c.then(t, sys, from, dep)
					}
					_, err := anyway.Wait(bg)
					require.NoError(t, err)
					if c.want == nil {
						for _, fut := range []*cmwq.Future[int]{only, last, behind} {
							_, err := fut.Wait(bg)
							require.NoError(t, err)
						}
						require.EqualValues(t, 4, ran.Load())
						return
					}
					for _, fut := range []*cmwq.Future[int]{only, last, behind} {
						_, err := fut.Wait(bg)
						require.ErrorIs(t, err, cmwq.ErrDependency)
						if fut != behind && name == "disabled" {
							require.ErrorIs(t, err, cmwq.ErrCancelled)
						} else {
							require.ErrorIs(t, err, c.want)
						}
						var d *cmwq.DependencyError
						require.ErrorAs(t, err, &d)
					}
					require.EqualValues(t, 1, ran.Load())
					st, err := q.Stats(bg)
					require.NoError(t, err)
					require.EqualValues(t, 3, st.Dropped)
					w := cmwq.NewWork(nop)
					require.ErrorIs(t, q.After(only).OnlyOK().Queue(w), cmwq.ErrDependency, "known at once")
					require.Equal(t, cmwq.Busy{}, w.Busy())
				})
			})
		}
	}
}

func TestAfterWorkThatWaitsIsPending(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Bounded(3, cmwq.Refuse))
		at := since()
		dep := cmwq.NewWork(pauses(time.Second))
		require.NoError(t, q.Queue(dep))
		synctest.Wait()
		var ran record
		works := make([]*cmwq.Work, 3)
		for i := range works {
			works[i] = cmwq.NewWork(func(*cmwq.Context) error { ran.add(i); return nil })
			require.NoError(t, q.After(dep).Queue(works[i]))
			require.Equal(t, cmwq.Busy{Pending: true}, works[i].Busy())
		}
		require.ErrorIs(t, q.After(dep).Go(nop), cmwq.ErrFull, "it has room from now on")
		require.True(t, works[0].Cancel())
		require.False(t, works[0].Cancel())
		require.NoError(t, q.After(dep).Queue(works[0]))
		wasPending, err := works[0].Disable(bg)
		require.NoError(t, err)
		require.True(t, wasPending)
		require.ErrorIs(t, q.After(dep).Queue(works[0]), cmwq.ErrDisabled)
		wasPending, err = q.Modify(0, works[1])
		require.NoError(t, err)
		require.True(t, wasPending)
		synctest.Wait()
		require.Equal(t, []int{1}, ran.get(), "Modify waits for nobody")
		require.NoError(t, q.Flush(bg), "nor does flush of the queue wait for what waits")
		require.Equal(t, 1000, at())

		require.NoError(t, q.Queue(dep))
		require.NoError(t, q.After(dep).Queue(works[1]))
		ctx, cancel := context.WithTimeout(bg, time.Millisecond)
		defer cancel()
		require.ErrorIs(t, works[1].Flush(ctx), context.DeadlineExceeded)
		require.NoError(t, works[1].Flush(bg), "flush of it waits")
		require.Equal(t, 2000, at())
		require.Equal(t, []int{1, 2, 1}, ran.get())
		require.Equal(t, 3, fill(q))
	})
}
