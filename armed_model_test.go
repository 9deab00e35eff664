package cmwq_test

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// Everything at once that can be done to armed items, on three queues, one of which has
// little room: each instance that was accepted ran, or was taken back, once; the numbers
// and the room say the same.
func TestStressWhatCanBeDoneToArmedItems(t *testing.T) {
	const room = 30
	sys := start(t)
	queues := []*cmwq.Queue{queue(t, sys, "a"), queue(t, sys, "b"), queue(t, sys, "bounded", cmwq.Bounded(room, cmwq.Refuse))}
	var ran, accepted, cancelled atomic.Int64
	items := make([]cmwq.Work, 40)
	for i := range items {
		items[i].Func = func(*cmwq.Context) error { ran.Add(1); return nil }
	}
	took := func(err error) {
		if err == nil {
			accepted.Add(1)
		}
	}
	var all sync.WaitGroup
	for g := range uint64(4) {
		all.Go(func() {
			r := rand.New(rand.NewPCG(g, 11))
			for range short.Rounds(4000) {
				w, q := &items[r.IntN(len(items))], queues[r.IntN(len(queues))]
				soon := time.Duration(1+r.IntN(9)) * 20 * time.Microsecond
				switch r.IntN(10) {
				case 0, 1:
					took(q.QueueAfter(soon, w))
				case 2:
					took(q.QueueAfter(time.Hour, w))
				case 3:
					took(q.Queue(w))
				case 4:
					took(q.After(&items[r.IntN(len(items))]).Queue(w))
				case 5, 6: // it takes an instance off, and gives another, or the same at another time
					was, err := q.Modify(soon*time.Duration(1+r.IntN(2)*1000), w)
					if was && err != nil {
						cancelled.Add(1)
					} else if !was {
						took(err)
					}
				case 7:
					if was, err := w.CancelWait(t.Context()); err != nil {
						t.Error(err)
					} else if was {
						cancelled.Add(1)
					}
				default:
					if w.Cancel() {
						cancelled.Add(1)
					}
				}
			}
		})
	}
	all.Wait()
	for i := range items {
		if items[i].Cancel() {
			cancelled.Add(1)
		}
		require.NoError(t, items[i].Flush(t.Context()))
	}
	var delayed, counted int64
	for _, q := range queues {
		require.NoError(t, q.Flush(t.Context()))
		s, err := q.Stats(t.Context())
		require.NoError(t, err)
		delayed += int64(s.Delayed)
		counted += s.Cancelled
	}
	require.Equal(t, accepted.Load(), cancelled.Load()+ran.Load())
	require.Equal(t, cancelled.Load(), counted)
	require.Zero(t, delayed)
	bounded := queues[2]
	for range room {
		require.NoError(t, bounded.QueueAfter(time.Hour, cmwq.NewWork(items[0].Func)))
	}
	require.ErrorIs(t, bounded.QueueAfter(time.Hour, cmwq.NewWork(items[0].Func)), cmwq.ErrFull)
}

// An item that is moved on, and on, and then back, is due when it was told last; and one
// that was cancelled may be armed for any time.
func TestTheLastMoveOfAnArmedItemCounts(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		begin := time.Now()
		at := make(chan time.Duration, 2)
		w := cmwq.NewWork(func(*cmwq.Context) error { at <- time.Since(begin); return nil })
		for _, moves := range [][]time.Duration{{50, 10}, {10, 50}, {10, 50, 90, 20}, {90, 20, 60}} {
			begin = time.Now()
			require.NoError(t, q.QueueAfter(time.Hour, w))
			require.True(t, w.Cancel())
			require.NoError(t, q.QueueAfter(30*time.Millisecond, w))
			var last time.Duration
			for _, m := range moves {
				last = m * time.Millisecond
				was, err := q.Modify(last, w)
				require.NoError(t, err)
				require.True(t, was)
			}
			require.Equal(t, last, <-at)
			time.Sleep(time.Second)
			require.Empty(t, at, "it was due once")
		}
	})
}
