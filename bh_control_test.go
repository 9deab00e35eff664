package cmwq_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// Whatever is asked while an item runs is answered at once, also from that item.
func TestBHIsAskedWhileAnItemRuns(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.BH())
		hold, entered, open := latch()
		require.NoError(t, q.Queue(hold))
		<-entered
		never := cmwq.NewWork(func(*cmwq.Context) error { t.Error("ran"); return nil })
		require.NoError(t, q.Queue(never))
		require.True(t, never.Cancel())
		was, err := func() (bool, error) { _ = q.Queue(never); return never.CancelWait(bg) }()
		require.NoError(t, err)
		require.True(t, was)

		var order []string
		say := func(s string) *cmwq.Work {
			return cmwq.NewWork(func(*cmwq.Context) error { order = append(order, s); return nil })
		}
		first, last := say("first"), say("last")
		require.NoError(t, q.Queue(first))
		require.NoError(t, q.Queue(last))
		flushed := make(chan error, 2)
		go func() { flushed <- first.Flush(bg) }()
		go func() { flushed <- hold.Flush(bg) }()
		synctest.Wait()
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.EqualValues(t, 1, st.InFlight)
		require.Equal(t, 3, st.Active)

		stopped := make(chan bool)
		go func() { was, _ := hold.CancelWait(bg); stopped <- was }()
		synctest.Wait()
		require.ErrorIs(t, q.Queue(hold), cmwq.ErrDisabled)
		open <- struct{}{}
		require.False(t, <-stopped, "it only ran")
		require.NoError(t, <-flushed)
		require.NoError(t, <-flushed)
		require.NoError(t, q.Flush(bg))
		require.Equal(t, []string{"first", "last"}, order)

		own := make(chan bool, 1)
		require.NoError(t, q.Go(func(*cmwq.Context) error {
			if err := q.Queue(never); err != nil {
				return err
			}
			own <- never.Cancel() // by the item that is before it
			return nil
		}))
		require.True(t, <-own)
	})
}

func TestBHRequeuesDelaysDrainsAndEnds(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.BH())
		at := since()
		var n atomic.Int32
		var w *cmwq.Work
		w = cmwq.NewWork(func(*cmwq.Context) error {
			if n.Add(1) < 50 {
				return q.Queue(w)
			}
			return nil
		})
		require.NoError(t, q.QueueAfter(time.Second, w))
		armed := cmwq.NewWork(func(*cmwq.Context) error { t.Error("ran"); return nil })
		require.NoError(t, q.QueueAfter(time.Hour, armed))
		time.Sleep(1100 * time.Millisecond)
		require.EqualValues(t, 50, n.Load())
		n.Store(0)
		require.NoError(t, q.Queue(w))
		require.NoError(t, q.Drain(bg), "it takes what the item queues itself")
		require.EqualValues(t, 50, n.Load())
		require.NoError(t, q.Destroy(bg))
		require.ErrorIs(t, q.Queue(w), cmwq.ErrDestroyed)
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.EqualValues(t, 1, st.Dropped)
		require.EqualValues(t, 100, st.Total)
		require.Equal(t, 1100, at())
	})
}

// A forced Stop drops what waits behind an item that does not end, and says so; an
// item that minds its context ends with it.
func TestBHForcedStop(t *testing.T) {
	for name, minds := range map[string]bool{"minds": true, "does not": false} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.BH())
				release := make(chan struct{})
				defer close(release)
				require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
					var done <-chan struct{}
					if minds {
						done = ctx.Done()
					}
					select {
					case <-done:
					case <-release:
					}
					return nil
				}))
				behind := cmwq.Submit(q, func(*cmwq.Context) (int, error) { t.Error("ran"); return 0, nil })
				synctest.Wait()
				ctx, cancel := context.WithTimeout(bg, time.Second)
				defer cancel()
				var stop *cmwq.StopError
				require.ErrorAs(t, sys.Stop(ctx), &stop)
				require.Equal(t, 1, stop.Dropped)
				require.Equal(t, map[bool]int{true: 0, false: 1}[minds], stop.Running)
				_, err := behind.Wait(bg)
				require.ErrorIs(t, err, cmwq.ErrStopped)
			})
		})
	}
}

func TestBHHasNoLimit(t *testing.T) {
	sys := start(t, silent())
	q := queue(t, sys, "q", cmwq.BH(), cmwq.MaxActive(0))
	require.ErrorIs(t, q.SetMaxActive(4), cmwq.ErrBH)
	hold, entered, open := latch()
	require.NoError(t, q.QueueOn(0, hold))
	<-entered
	for range 3000 { // more than any limit
		require.NoError(t, q.QueueOn(0, cmwq.NewWork(func(*cmwq.Context) error { return nil })))
	}
	st, err := q.Stats(bg)
	require.NoError(t, err)
	require.Equal(t, 3001, st.Active)
	require.Zero(t, st.Inactive)
	open <- struct{}{}
	require.NoError(t, q.Flush(bg))
}

// An item that queues itself again and again holds up nobody else on its CPU, and
// nobody who asks.
func TestBHSelfRequeueStarvesNobody(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "q", cmwq.BH())
	var w *cmwq.Work
	w = cmwq.NewWork(func(*cmwq.Context) error {
		if err := q.QueueOn(0, w); err != nil && !errors.Is(err, cmwq.ErrDisabled) {
			t.Error(err)
		}
		return nil
	})
	require.NoError(t, q.QueueOn(0, w))
	for range 60 {
		other := cmwq.NewWork(func(*cmwq.Context) error { return nil })
		require.NoError(t, q.QueueOn(0, other))
		require.NoError(t, other.Flush(bg))
		require.NoError(t, q.Flush(bg))
		_, err := q.Stats(bg)
		require.NoError(t, err)
	}
	_, err := w.CancelWait(bg)
	require.NoError(t, err)
	require.Equal(t, cmwq.Busy{}, w.Busy())
}
