package cmwq_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// Items of several queues that follow each other on the worklist, and are known to be short,
// may be given to a worker together. What a user sees of each queue is as if they were not.

// inTurn has a pool of one CPU with its worker at an item, so that all that is queued next is
// given out together; the item ends with the function that is returned.
func inTurn(t *testing.T, sys *cmwq.System, qs ...*cmwq.Queue) (release func()) {
	t.Helper()
	for _, q := range qs { // how long they take is known then
		require.NoError(t, q.Go(func(*cmwq.Context) error { return nil }))
		require.NoError(t, q.Flush(bg))
	}
	first := queue(t, sys, "first")
	open, entered := make(chan struct{}), make(chan struct{})
	require.NoError(t, first.Go(func(*cmwq.Context) error { close(entered); <-open; return nil }))
	<-entered
	return func() { close(open) }
}

// flushingAll flushes queues from now on, before they have given out anything; wait waits
// until they are.
func flushingAll(t *testing.T, qs ...*cmwq.Queue) (wait func()) {
	t.Helper()
	var all sync.WaitGroup
	for _, q := range qs {
		all.Go(func() {
			if err := q.Flush(bg); err != nil {
				t.Error(err)
			}
		})
	}
	synctest.Wait()
	return all.Wait
}

func manyOf(t *testing.T, sys *cmwq.System, n int, opts ...cmwq.QueueOption) (qs []*cmwq.Queue) {
	t.Helper()
	for i := range n {
		qs = append(qs, queue(t, sys, fmt.Sprint("q", i), opts...))
	}
	return qs
}

// An item that sleeps and does not say so holds up neither the items behind it nor the flush
// of those before it; and its time is its own queue's.
func TestManyQueuesBesideASleeper(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		qs := manyOf(t, sys, 9)
		release := inTurn(t, sys, qs...)
		var ran atomic.Int32
		for i, q := range qs {
			require.NoError(t, q.Go(func(*cmwq.Context) error {
				ran.Add(1)
				if i == 4 {
					time.Sleep(time.Hour)
				}
				return nil
			}))
		}
		at := since()
		wait := flushingAll(t, slices.Concat(qs[:4], qs[5:])...)
		release()
		wait()
		require.Less(t, at(), 20)
		require.EqualValues(t, 9, ran.Load())
		require.NoError(t, qs[4].Flush(bg))
		require.GreaterOrEqual(t, at(), 3600*1000)
		for i, q := range qs {
			st, err := q.Stats(bg)
			require.NoError(t, err)
			require.EqualValues(t, 2, st.Total)
			if i != 4 {
				require.Less(t, st.CPUTime, time.Second, q.Name())
			} else {
				require.Greater(t, st.CPUTime, time.Hour-time.Second)
			}
		}
	})
}

// The last of the items sleeps: nothing is behind it that somebody could miss.
func TestManyQueuesBeforeASleeper(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		qs := manyOf(t, sys, 3)
		release := inTurn(t, sys, qs...)
		for i, q := range qs {
			require.NoError(t, q.Go(func(*cmwq.Context) error {
				if i == 2 {
					time.Sleep(time.Hour)
				}
				return nil
			}))
		}
		at := since()
		wait := flushingAll(t, qs[:2]...)
		release()
		wait()
		require.Less(t, at(), 20)
	})
}

// A declared sleep is told at once.
func TestManyQueuesBesideADeclaredSleep(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		qs := manyOf(t, sys, 5)
		release := inTurn(t, sys, qs...)
		for i, q := range qs {
			require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
				if i == 2 {
					return ctx.Sleep(time.Hour)
				}
				return nil
			}))
		}
		at := since()
		wait := flushingAll(t, qs[0], qs[1], qs[3], qs[4])
		release()
		wait()
		require.Zero(t, at())
	})
}

// What has not begun can be cancelled, and is where it was: behind what is before it.
func TestManyQueuesCancel(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		qs := manyOf(t, sys, 6)
		release := inTurn(t, sys, qs...)
		var ran record
		entered, open := make(chan struct{}), make(chan struct{})
		items := make([]*cmwq.Work, len(qs))
		for i, q := range qs {
			items[i] = cmwq.NewWork(func(*cmwq.Context) error {
				ran.add(i)
				if i == 1 {
					close(entered)
					<-open
				}
				return nil
			})
			require.NoError(t, q.Queue(items[i]))
		}
		release()
		<-entered
		st, err := qs[0].Stats(bg)
		require.NoError(t, err)
		require.EqualValues(t, 2, st.Total, "its item has ended, whatever runs behind it")
		require.Zero(t, st.InFlight)
		require.True(t, items[3].Cancel())
		require.False(t, items[1].Cancel())
		require.False(t, items[0].Cancel())
		close(open)
		for _, q := range qs {
			require.NoError(t, q.Flush(bg))
		}
		require.Equal(t, []int{0, 1, 2, 4, 5}, ran.get())
	})
}

// Failures are those of the queue whose item failed.
func TestManyQueuesFail(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		qs := manyOf(t, sys, 4)
		release := inTurn(t, sys, qs...)
		for i, q := range qs {
			for range i {
				require.NoError(t, q.Go(func(*cmwq.Context) error { panic("of the test") }))
			}
			require.NoError(t, q.Go(func(*cmwq.Context) error { return nil }))
		}
		release()
		for i, q := range qs {
			require.NoError(t, q.Flush(bg))
			st, err := q.Stats(bg)
			require.NoError(t, err)
			require.EqualValues(t, i, st.Failed)
			require.EqualValues(t, i+2, st.Total)
		}
	})
}

// max_active holds for each queue, and a paused one waits for what is active alone.
func TestManyQueuesWithFewSlots(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		qs := manyOf(t, sys, 5, cmwq.MaxActive(2))
		release := inTurn(t, sys, qs...)
		var in [5]atomic.Int32
		var most [5]atomic.Int32
		for range 40 {
			for i, q := range qs {
				require.NoError(t, q.Go(func(*cmwq.Context) error {
					raise(&most[i], in[i].Add(1))
					time.Sleep(time.Microsecond)
					in[i].Add(-1)
					return nil
				}))
			}
		}
		release()
		require.NoError(t, qs[3].Pause(bg))
		require.Zero(t, in[3].Load())
		synctest.Wait()
		require.NoError(t, qs[3].Resume())
		for i, q := range qs {
			require.NoError(t, q.Flush(bg))
			require.LessOrEqual(t, most[i].Load(), int32(2))
			st, err := q.Stats(bg)
			require.NoError(t, err)
			require.EqualValues(t, 41, st.Total)
		}
	})
}
