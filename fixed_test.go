package cmwq_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// Fixed workers take items in turn, each in its own order, and what finds a
// mailbox full goes to the shared pool.
func TestFixedWorkersTakeTurnsAndOverflow(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		require.NoError(t, q.Fix(2, 3))
		var mu sync.Mutex
		got, blocked := map[string][]int{}, make(chan struct{})
		var in atomic.Int32
		for i := range 20 {
			require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
				mu.Lock()
				got[ctx.Worker()] = append(got[ctx.Worker()], i)
				mu.Unlock()
				in.Add(1)
				if i < 2 {
					<-blocked
				}
				return nil
			}))
			synctest.Wait()
		}
		// Each of the two runs one and has three waiting; the others ran elsewhere.
		require.EqualValues(t, 20-6, in.Load())
		close(blocked)
		require.NoError(t, q.Flush(bg))
		fixed := 0
		for name, items := range got {
			if items[0] < 2 {
				fixed++
				require.Equal(t, []int{items[0], items[0] + 2, items[0] + 4, items[0] + 6}, items, name)
			}
		}
		require.Equal(t, 2, fixed)
	})
}

// A fixed worker that blocks, declared or not, holds up its own mailbox alone.
func TestABlockedFixedWorkerHoldsUpItsMailboxAlone(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		require.NoError(t, q.Fix(2, 100))
		var ran atomic.Int32
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		for range 10 {
			require.NoError(t, q.Go(func(*cmwq.Context) error { ran.Add(1); return nil }))
		}
		time.Sleep(time.Hour)
		require.EqualValues(t, 5, ran.Load())
		g.open <- struct{}{}
		require.NoError(t, q.Flush(bg))
		require.EqualValues(t, 10, ran.Load())
	})
}

// Cancel and flush of an item find it in a mailbox and in a batch.
func TestCancelAndFlushInABatch(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		require.NoError(t, q.Fix(1, 100))
		entered, open := make(chan struct{}, 2), make(chan struct{})
		hold := func(*cmwq.Context) error { entered <- struct{}{}; <-open; return nil }
		var got record
		row := make([]*cmwq.Work, 4)
		for i := range row {
			row[i] = cmwq.NewWork(func(*cmwq.Context) error { got.add(i); return nil })
		}
		require.NoError(t, q.Go(hold))
		<-entered
		require.NoError(t, q.Go(hold))
		for _, w := range row {
			require.NoError(t, q.Queue(w))
		}
		require.True(t, row[0].Cancel(), "it waits")
		open <- struct{}{}
		<-entered // the second hold and the row are one batch
		wasPending, err := row[2].CancelWait(bg)
		require.NoError(t, err)
		require.True(t, wasPending, "it is in the batch")
		flushed := make(chan error, 1)
		go func() { flushed <- row[1].Flush(bg) }()
		synctest.Wait()
		require.Empty(t, flushed)
		open <- struct{}{}
		require.NoError(t, <-flushed)
		require.NoError(t, q.Flush(bg))
		require.Equal(t, []int{1, 3}, got.get())
	})
}

// Fix again and Unfix lose nothing: what a worker has it runs, and ends then.
func TestFixAgainLosesNothing(t *testing.T) {
	for name, kind := range keyedKinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind)
				var ran atomic.Int32
				n := 0
				for round, fix := range []int{1, 3, 3, 0, 2, 0, 5} {
					require.NoError(t, q.Fix(fix, 10+round))
					for range short.Rounds(30) {
						n++
						require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
							ran.Add(1)
							return ctx.Sleep(time.Millisecond)
						}))
					}
				}
				require.NoError(t, q.Unfix())
				require.NoError(t, q.Drain(bg))
				require.EqualValues(t, n, ran.Load())
				st, err := q.Stats(bg)
				require.NoError(t, err)
				require.EqualValues(t, n, st.Total)
			})
		})
	}
}

// Of max_active each fixed worker has one, the shared pools the rest.
func TestFixedWorkersShareMaxActive(t *testing.T) {
	bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(5))
		require.NoError(t, q.Fix(2, 1))
		var m meter
		for range 50 {
			require.NoError(t, q.Queue(m.work(func(ctx *cmwq.Context) { _ = ctx.Sleep(time.Millisecond) })))
		}
		require.NoError(t, q.Flush(bg))
		require.EqualValues(t, 5, m.most.Load())
		require.NoError(t, q.SetMaxActive(8))
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.Equal(t, 8, st.MaxActive)
		require.NoError(t, q.Unfix())
		require.NoError(t, q.Drain(bg))
		st, err = q.Stats(bg)
		require.NoError(t, err)
		require.Equal(t, 8, st.MaxActive)
	})
}

func TestFixErrors(t *testing.T) {
	sys := start(t)
	q, ordered := queue(t, sys, "q"), queue(t, sys, "o", cmwq.Ordered())
	require.ErrorIs(t, ordered.Fix(1, 1), cmwq.ErrOrdered)
	for _, bad := range [][2]int{{-1, 1}, {257, 1}, {1, 0}, {1, -1}, {1, 65537}} {
		require.ErrorIs(t, q.Fix(bad[0], bad[1]), cmwq.ErrFixed, "%v", bad)
	}
	require.NoError(t, q.Unfix(), "there are none")
	require.NoError(t, q.Fix(2, 8))
	require.NoError(t, q.Destroy(bg))
	require.ErrorIs(t, q.Fix(2, 8), cmwq.ErrDestroyed)
	require.ErrorIs(t, q.Go(func(*cmwq.Context) error { return nil }), cmwq.ErrDestroyed)
}

// What has a key, names a CPU, or is due is for the shared pools.
func TestFixedWorkersAreForPlainItems(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.PerCPU())
		require.NoError(t, q.Fix(1, 8))
		var names []string
		w := cmwq.NewWork(func(ctx *cmwq.Context) error {
			names = append(names, fmt.Sprint(ctx.CPU(), strings.Count(ctx.Worker(), "/u")))
			return nil
		})
		for _, queue := range []func() error{
			func() error { return q.Queue(w) },
			func() error { return q.QueueOn(0, w) },
			func() error { return q.QueueAfter(time.Millisecond, w) },
		} {
			require.NoError(t, queue())
			require.NoError(t, w.Flush(bg))
		}
		require.Equal(t, []string{"-1 1", "0 0", "0 0"}, names)
	})
}

// Items race with Fix, cancel and flush: each accepted one is accounted for.
func TestFixedStress(t *testing.T) {
	sys := start(t, silent())
	q := queue(t, sys, "q")
	var accepted, ran, taken atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			items := make([]*cmwq.Work, 8)
			var in [8]atomic.Int32
			for i := range items {
				items[i] = cmwq.NewWork(func(ctx *cmwq.Context) error {
					if in[i].Add(1) != 1 {
						t.Error("an item runs twice at once")
					}
					defer in[i].Add(-1)
					ran.Add(1)
					return nil
				})
			}
			for k := range short.Rounds(3000) {
				w := items[k%8]
				if q.Queue(w) == nil {
					accepted.Add(1)
				}
				if err := q.Go(func(*cmwq.Context) error { ran.Add(1); return nil }); err == nil {
					accepted.Add(1)
				}
				if k%50 == 0 && items[k/50%8].Cancel() {
					taken.Add(1)
				}
				if k%500 == 0 {
					if err := w.Flush(bg); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	for i := range 20 {
		require.NoError(t, q.Fix(i%4, 1+i*7))
		require.NoError(t, q.Flush(bg))
	}
	wg.Wait()
	require.NoError(t, q.Flush(bg))
	require.Equal(t, accepted.Load(), ran.Load()+taken.Load())
}

// Where fixed workers lose: each third item takes long, and they all fall to one of
// three workers, while the others have nothing to do. A shared pool starts them side
// by side.
func TestFixedWorkersLoseWithUnequalItems(t *testing.T) {
	for _, fixed := range []bool{false, true} {
		bubble(t, 3, func(t *testing.T, sys *cmwq.System) {
			q := threeWorkers(t, sys, fixed)
			at := since()
			for i := range 30 {
				require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
					if i%3 == 0 {
						return ctx.Sleep(10 * time.Millisecond)
					}
					return nil
				}))
			}
			require.NoError(t, q.Flush(bg))
			require.Equal(t, map[bool]int{false: 10, true: 100}[fixed], at())
		})
	}
}
