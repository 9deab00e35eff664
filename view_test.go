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

type spanKey struct{}

// A value of the submitter's is the item's, whichever way it was queued.
func TestValuesTravel(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		v := q.With(context.WithValue(bg, spanKey{}, "span"))
		k := v.Keyed("k")
		var got []any
		f := func(ctx *cmwq.Context) error {
			derived, cancel := context.WithTimeout(ctx, time.Hour)
			defer cancel()
			got = append(got, ctx.Value(spanKey{}), derived.Value(spanKey{}))
			e, ok := cmwq.Current(derived)
			require.True(t, ok, "and the item is found, too")
			require.Equal(t, "q", e.Queue)
			return nil
		}
		modify := func(v interface {
			Modify(time.Duration, *cmwq.Work) (bool, error)
		}) func() error {
			return func() error { _, err := v.Modify(time.Millisecond, cmwq.NewWork(f)); return err }
		}
		for i, queue := range []func() error{
			func() error { return v.Queue(cmwq.NewWork(f)) },
			func() error { return v.QueueOn(1, cmwq.NewWork(f)) },
			func() error { return v.QueueAfter(time.Millisecond, cmwq.NewWork(f)) },
			func() error { return v.Go(f) },
			func() error { return k.Queue(cmwq.NewWork(f)) },
			func() error { return k.QueueAfter(time.Millisecond, cmwq.NewWork(f)) },
			func() error { return k.Go(f) },
			func() error { return q.Keyed("k").With(context.WithValue(bg, spanKey{}, "span")).Go(f) },
			modify(v), modify(k),
			func() error {
				_, err := cmwq.Submit(v, func(ctx *cmwq.Context) (int, error) { return 0, f(ctx) }).Wait(bg)
				return err
			},
			func() error {
				_, err := cmwq.Submit(k, func(ctx *cmwq.Context) (int, error) { return 0, f(ctx) }).Wait(bg)
				return err
			},
		} {
			require.NoError(t, queue())
			time.Sleep(2 * time.Millisecond)
			require.NoError(t, q.Flush(bg))
			require.Equal(t, []any{"span", "span"}, got, "way %d", i)
			got = nil
		}
		w := cmwq.NewWork(f)
		require.NoError(t, v.Queue(w))
		require.NoError(t, w.Flush(bg))
		require.NoError(t, q.Queue(w), "not through the view")
		require.NoError(t, w.Flush(bg))
		require.Equal(t, []any{"span", "span", nil, nil}, got)
	})
}

// The request is over, and its work goes on.
func TestCancellationDoesNotTravelByDefault(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		ctx, cancel := context.WithTimeout(context.WithValue(bg, spanKey{}, 1), time.Millisecond)
		v := q.With(ctx)
		var end error
		require.NoError(t, v.Go(func(c *cmwq.Context) error {
			_, ok := c.Deadline()
			require.False(t, ok)
			end = c.Sleep(time.Second)
			require.Equal(t, 1, c.Value(spanKey{}))
			return nil
		}))
		time.Sleep(time.Millisecond)
		cancel()
		require.NoError(t, v.Go(func(*cmwq.Context) error { return nil }), "even then")
		require.NoError(t, q.Flush(bg))
		require.NoError(t, end)
	})
}

func TestFollowCancel(t *testing.T) {
	why := errors.New("the client went away")
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			var failed []error
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind, cmwq.MaxActive(1))
				ctx, cancel := context.WithCancelCause(bg)
				v := q.With(ctx, cmwq.FollowCancel())
				var slept, cause, err error
				require.NoError(t, v.Go(func(c *cmwq.Context) error {
					slept = c.Sleep(time.Hour)
					cause, err = context.Cause(c), c.Err()
					require.NoError(t, q.Go(func(c *cmwq.Context) error { return c.Err() }), "the next one is not meant")
					return nil
				}))
				synctest.Wait()
				require.NoError(t, v.Go(func(*cmwq.Context) error { t.Error("ran"); return nil }))
				at := since()
				cancel(why)
				require.NoError(t, q.Flush(bg))
				require.Zero(t, at())
				require.Equal(t, []error{why, why, context.Canceled}, []error{slept, cause, err})
				require.Equal(t, why, v.Go(func(*cmwq.Context) error { t.Error("ran"); return nil }), "nothing is queued after that")
				st, err := q.Stats(bg)
				require.NoError(t, err)
				require.EqualValues(t, 1, st.Failed)
				require.NoError(t, q.Destroy(bg))
			}, cmwq.WithOnFailure(func(_ string, err error) { failed = append(failed, err) }))
			require.Len(t, failed, 1)
			require.ErrorIs(t, failed[0], cmwq.ErrCancelled)
			require.ErrorIs(t, failed[0], why)
		})
	}
}

// A future whose submitter goes away is resolved at once, and costs its queue nothing
// any more.
func TestFollowCancelOfAFuture(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(1))
		require.NoError(t, q.Go(func(c *cmwq.Context) error { return c.Sleep(time.Hour) }))
		ctx, cancel := context.WithCancel(bg)
		v := q.With(ctx, cmwq.FollowCancel())
		waiting := cmwq.Submit(v, func(*cmwq.Context) (int, error) { t.Error("ran"); return 0, nil })
		synctest.Wait()
		at := since()
		cancel()
		_, err := waiting.Wait(bg)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, cmwq.ErrCancelled)
		require.Zero(t, at())
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.Zero(t, st.Inactive)
		require.EqualValues(t, 1, st.Failed)
		_, err = cmwq.Submit(v, func(*cmwq.Context) (int, error) { return 0, nil }).Wait(bg)
		require.Equal(t, context.Canceled, err)
	})
}

// The context of an item that submits ends with it; and an item that hands itself on for
// ever keeps the values it began with, and no more.
func TestItemAsSubmitter(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		var child error
		at, ended := since(), -1
		require.NoError(t, q.With(context.WithValue(bg, spanKey{}, 7)).Go(func(c *cmwq.Context) error {
			require.NoError(t, q.With(c, cmwq.FollowCancel()).Go(func(cc *cmwq.Context) error {
				require.Equal(t, 7, cc.Value(spanKey{}))
				child, ended = cc.Sleep(time.Hour), at()
				return nil
			}))
			return c.Sleep(10 * time.Millisecond)
		}))
		require.NoError(t, q.Flush(bg))
		require.NoError(t, q.Flush(bg))
		require.ErrorIs(t, child, context.Canceled)
		require.Equal(t, 10, ended)

		var seen []any
		var w *cmwq.Work
		done := make(chan struct{})
		w = cmwq.NewWork(func(c *cmwq.Context) error {
			if seen = append(seen, c.Value(spanKey{})); len(seen) < 100 {
				return q.With(c).Queue(w)
			}
			close(done)
			return nil
		})
		require.NoError(t, q.With(context.WithValue(bg, spanKey{}, 8)).Queue(w))
		<-done
		require.Equal(t, 8, seen[99])
	})
}

func TestViewRefuses(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		f := func(*cmwq.Context) error { t.Error("ran"); return nil }
		var none context.Context
		for _, v := range []*cmwq.View{
			q.With(none), q.With(bg, cmwq.WaitAtMost(-1)), q.With(bg, cmwq.RunAtMost(-1)),
		} {
			require.ErrorIs(t, v.Go(f), cmwq.ErrOption)
			require.ErrorIs(t, v.Queue(cmwq.NewWork(f)), cmwq.ErrOption)
			require.ErrorIs(t, v.Keyed(1).Go(f), cmwq.ErrOption)
			_, err := cmwq.Submit(v, func(*cmwq.Context) (int, error) { return 0, nil }).Wait(bg)
			require.ErrorIs(t, err, cmwq.ErrOption)
		}
		v := q.With(bg)
		require.ErrorIs(t, v.Go(nil), cmwq.ErrNoFunc)
		require.ErrorIs(t, v.Queue(&cmwq.Work{}), cmwq.ErrNoFunc)
		require.ErrorIs(t, v.Keyed(nil).Go(f), cmwq.ErrKey)
		require.ErrorIs(t, v.QueueOn(77, cmwq.NewWork(f)), cmwq.ErrCPU)
		w := cmwq.NewWork(func(*cmwq.Context) error { return nil })
		require.NoError(t, v.QueueAfter(time.Hour, w))
		require.ErrorIs(t, v.Queue(w), cmwq.ErrPending)
		require.True(t, w.Cancel())
		require.NoError(t, q.Destroy(bg))
		require.ErrorIs(t, v.Go(f), cmwq.ErrDestroyed)
	})
}

// Members of a group on a view have what travels with it, and end when it says so.
func TestGroupOnAView(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Ordered())
		at := since()
		g := cmwq.NewGroup[any](bg, q.With(context.WithValue(bg, spanKey{}, 1), cmwq.WaitAtMost(10*time.Millisecond)))
		first := g.Submit(func(c *cmwq.Context) (any, error) { return c.Value(spanKey{}), c.Sleep(20 * time.Millisecond) })
		late := g.Submit(func(*cmwq.Context) (any, error) { t.Error("ran"); return nil, nil })
		require.ErrorIs(t, g.Wait(bg), context.DeadlineExceeded)
		v, err := first.Wait(bg)
		require.NoError(t, err)
		require.Equal(t, 1, v)
		_, err = late.Wait(bg)
		require.ErrorAs(t, err, new(*cmwq.TimeoutError))
		require.Equal(t, 20, at())

		ctx, leave := context.WithCancel(bg)
		g = cmwq.NewGroup[any](bg, q.With(ctx, cmwq.FollowCancel()))
		g.Go(func(c *cmwq.Context) error { _ = c.Sleep(time.Hour); return nil })
		late = g.Submit(func(*cmwq.Context) (any, error) { t.Error("ran"); return nil, nil })
		synctest.Wait()
		leave()
		require.ErrorIs(t, g.Wait(bg), context.Canceled)
		_, err = late.Wait(bg)
		require.ErrorIs(t, err, cmwq.ErrCancelled)
	})
}
