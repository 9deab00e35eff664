package cmwq_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// followed counts who waits for its end.
type followed struct {
	context.Context
	waiting atomic.Int32
}

// Value hides what it is made of from package context, which would find its way round.
func (w *followed) Value(any) any { return nil }

func (w *followed) AfterFunc(f func()) func() bool {
	w.waiting.Add(1)
	stop := context.AfterFunc(w.Context, f)
	return func() bool { w.waiting.Add(-1); return stop() }
}

// A submitter that goes on for ever is not held up with items that have ended.
func TestNothingStaysWithASubmitter(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Ordered())
		life, end := context.WithCancel(bg)
		defer end()
		ctx := &followed{Context: life}
		v := q.With(ctx, cmwq.FollowCancel())
		require.NoError(t, v.Go(func(c *cmwq.Context) error {
			require.NoError(t, c.Err())
			require.EqualValues(t, 1, ctx.waiting.Load())
			return nil
		}))
		require.NoError(t, q.Flush(bg))
		require.Zero(t, ctx.waiting.Load())

		open := make(chan struct{})
		require.NoError(t, q.Go(func(c *cmwq.Context) error { <-open; return nil }))
		synctest.Wait()
		ran := cmwq.Submit(v, func(*cmwq.Context) (int, error) { return 0, nil })
		cancelled := cmwq.Submit(v, func(*cmwq.Context) (int, error) { return 0, nil })
		require.EqualValues(t, 2, ctx.waiting.Load())
		require.True(t, cancelled.Cancel())
		require.EqualValues(t, 1, ctx.waiting.Load())
		close(open)
		_, err := ran.Wait(bg)
		require.NoError(t, err)
		require.Zero(t, ctx.waiting.Load())
	})
}

// What a view was made of inside an item is there after the item, whatever its worker
// does then.
func TestViewOutlivesItsItem(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Ordered())
		type own struct{}
		for i, with := range []func(c *cmwq.Context) *cmwq.View{
			func(c *cmwq.Context) *cmwq.View { return q.With(c) },
			func(c *cmwq.Context) *cmwq.View { return q.With(context.WithValue(c, own{}, 1)) },
			func(c *cmwq.Context) *cmwq.View {
				derived, cancel := context.WithTimeout(context.WithValue(c, own{}, 1), time.Hour)
				defer cancel()
				return q.With(derived)
			},
		} {
			var v *cmwq.View
			require.NoError(t, q.With(context.WithValue(bg, spanKey{}, "first")).Go(func(c *cmwq.Context) error {
				v = with(c)
				return nil
			}))
			require.NoError(t, q.With(context.WithValue(bg, spanKey{}, "another")).Go(func(c *cmwq.Context) error { return c.Err() }))
			require.NoError(t, q.Flush(bg))
			require.NoError(t, v.Go(func(c *cmwq.Context) error {
				require.Equal(t, "first", c.Value(spanKey{}), i)
				require.Nil(t, c.Value("unknown"))
				require.NoError(t, c.Err())
				if i > 0 {
					require.Equal(t, 1, c.Value(own{}))
				}
				e, ok := cmwq.Current(c)
				require.True(t, ok)
				require.Equal(t, "q", e.Queue)
				return nil
			}))
			require.NoError(t, q.Flush(bg))
		}
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.Zero(t, st.Failed)
	})
}

// An item that hands itself on again and again makes no chain of contexts.
func TestNoChainOfContexts(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "q", cmwq.Ordered())
	var early weak.Pointer[cmwq.Context]
	n, there, done := 0, make(chan struct{}), make(chan struct{})
	var w *cmwq.Work
	w = cmwq.NewWork(func(c *cmwq.Context) error {
		if n++; n == 5 {
			early = weak.Make(c)
		}
		if n == 50 {
			close(there)
			<-done
			return nil
		}
		return q.With(c).Queue(w)
	})
	require.NoError(t, q.With(context.WithValue(bg, spanKey{}, 8)).Queue(w))
	<-there
	runtime.GC()
	require.Nil(t, early.Value())
	close(done)
	require.NoError(t, q.Flush(bg))
}
