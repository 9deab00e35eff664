package cmwq_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// Arming, moving and cancelling the same items from everywhere, at times that are near:
// each that was armed ran, or was taken off, once.
func TestStressArmedItems(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "q")
	var ran, armed, cancelled atomic.Int64
	items := make([]cmwq.Work, 50)
	for i := range items {
		items[i].Func = func(*cmwq.Context) error { ran.Add(1); return nil }
	}
	soon := func(i int) time.Duration { return time.Duration(1+i%9) * 20 * time.Microsecond }
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range short.Rounds(3000) {
				w := &items[(i*7+g)%len(items)]
				switch (i + g) % 3 {
				case 0:
					if q.QueueAfter(soon(i), w) == nil {
						armed.Add(1)
					}
				case 1:
					if w.Cancel() {
						cancelled.Add(1)
					}
				default:
					was, err := q.Modify(soon(i), w)
					if err != nil {
						t.Error(err)
					}
					if !was {
						armed.Add(1)
					}
				}
			}
		})
	}
	all.Wait()
	for i := range items {
		require.NoError(t, items[i].Flush(t.Context()))
	}
	require.NoError(t, q.Flush(t.Context()))
	require.Equal(t, armed.Load(), cancelled.Load()+ran.Load())
	s, err := q.Stats(t.Context())
	require.NoError(t, err)
	require.Zero(t, s.Delayed)
	require.Equal(t, cancelled.Load(), s.Cancelled)
}

func TestCancelAndMoveOfAnArmedItemAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("it has sync.Pool forget at random")
	}
	sys := start(t)
	q := queue(t, sys, "q")
	w := cmwq.NewWork(func(*cmwq.Context) error { return nil })
	n := testing.AllocsPerRun(1000, func() {
		_ = q.QueueAfter(time.Hour, w)
		_, _ = q.Modify(2*time.Hour, w)
		_, _ = q.Modify(time.Minute, w)
		w.Cancel()
	})
	require.Less(t, n, 0.1)
}

// A burst of cancelled timers does not wake anybody later, nor do moved ones run early.
func TestArmedItemsKeepTheirTimesAmongManyThatGo(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		begin := time.Now()
		late := make([]time.Duration, 300)
		items := make([]*cmwq.Work, len(late))
		due := func(i int) time.Duration { return time.Duration(1000+(i*37)%211) * time.Millisecond }
		for i := range items {
			items[i] = cmwq.NewWork(func(*cmwq.Context) error { late[i] = time.Since(begin); return nil })
			require.NoError(t, q.QueueAfter(time.Duration(100+i)*time.Millisecond, items[i]))
		}
		for i, w := range items {
			if i%3 == 0 {
				require.True(t, w.Cancel())
				continue
			}
			was, err := q.Modify(due(i), w)
			require.NoError(t, err)
			require.True(t, was)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		for i := range items {
			if i%3 == 0 {
				require.Zero(t, late[i], "item %d was cancelled", i)
			} else {
				require.Equal(t, due(i), late[i], "item %d", i)
			}
		}
	})
}
