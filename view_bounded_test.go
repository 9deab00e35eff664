package cmwq_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// A view of a bounded queue, or of a key of one, takes room as the queue does, and what
// travels comes with an item that has waited for room.
func TestViewsWaitForRoom(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		type key struct{}
		q, open := full(t, sys, 1, cmwq.Refuse, cmwq.MaxActive(1))
		require.NoError(t, q.Go(nop))
		view := q.With(context.WithValue(bg, key{}, "v"))
		require.ErrorIs(t, view.Go(nop), cmwq.ErrFull)
		require.ErrorIs(t, view.Keyed("k").Queue(cmwq.NewWork(nop)), cmwq.ErrFull)
		got := make(chan any, 4)
		sees := func(ctx *cmwq.Context) error { got <- ctx.Value(key{}); return nil }
		done := make(chan error, 4)
		go func() { done <- view.QueueContext(bg, cmwq.NewWork(sees)) }()
		go func() { done <- view.GoContext(bg, sees) }()
		go func() { done <- view.Keyed("k").QueueContext(bg, cmwq.NewWork(sees)) }()
		go func() { done <- view.Keyed("k").GoContext(bg, sees) }()
		synctest.Wait()
		require.Empty(t, done)
		close(open)
		for range cap(done) {
			require.NoError(t, <-done)
			require.Equal(t, "v", <-got)
		}
	})
}

// A Future that waits for room and then for its turn is resolved when it has waited for
// its turn for too long; a group takes room through a view, too.
func TestLimitsOfWhatWaitedForRoom(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q, open := full(t, sys, 1, cmwq.Refuse, cmwq.MaxActive(1), cmwq.MaxWait(time.Minute))
		fut := cmwq.SubmitContext(bg, q, func(*cmwq.Context) (int, error) { return 1, nil })
		_, err := fut.Wait(bg)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		g := cmwq.NewGroup[int](bg, q.With(bg))
		go func() {
			for i := range 5 {
				g.Submit(func(*cmwq.Context) (int, error) { return i, nil })
			}
		}()
		synctest.Wait()
		close(open)
		synctest.Wait()
		require.NoError(t, g.Wait(bg))
		n := 0
		for v, err := range g.Results() {
			require.NoError(t, err)
			require.Equal(t, n, v)
			n++
		}
		require.Equal(t, 5, n)
	})
}

// A Future whose time is up while it waits for room is given up as soon as it is
// queued: its turn may never come.
func TestTimeThatIsUpBeforeTheItemIsQueued(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q, open := full(t, sys, 1, cmwq.Refuse, cmwq.MaxActive(1))
		defer close(open)
		w := cmwq.NewWork(nop)
		require.NoError(t, q.Queue(w))
		futs := make(chan *cmwq.Future[int])
		go func() {
			futs <- cmwq.SubmitContext(bg, q.With(bg, cmwq.WaitAtMost(time.Minute)),
				func(*cmwq.Context) (int, error) { return 1, nil })
		}()
		time.Sleep(2 * time.Minute)
		require.True(t, w.Cancel(), "there is room")
		_, err := (<-futs).Wait(bg)
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}
