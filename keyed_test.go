package cmwq_test

import (
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

var keyedKinds = map[string]cmwq.QueueOption{"managed": cmwq.MaxActive(0), "percpu": cmwq.PerCPU(), "unbound": cmwq.Unbound()}

// Ten items of 10 ms with five keys take 20 ms.
func TestKeyedRunsOneAtATimeInOrder(t *testing.T) {
	for name, kind := range keyedKinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind)
				at := since()
				var in [5]atomic.Int32
				var got [5]record
				for i := range 10 {
					key := i % 5
					require.NoError(t, q.Keyed(key).Go(func(ctx *cmwq.Context) error {
						if in[key].Add(1) != 1 {
							t.Error("two of one key at once")
						}
						defer in[key].Add(-1)
						got[key].add(i)
						return ctx.Sleep(10 * time.Millisecond)
					}))
				}
				require.NoError(t, q.Flush(bg))
				require.Equal(t, 20, at())
				for key := range got {
					require.Equal(t, []int{key, key + 5}, got[key].get())
				}
			})
		})
	}
}

// What waits for an item of its key holds no slot and starts no worker, and nobody
// looks at it again and again: in virtual time an hour passes without a tick.
func TestWhatWaitsForItsKeyCostsNothing(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(2))
		g := newGate()
		key := q.Keyed("k")
		require.NoError(t, key.Queue(g.Work))
		<-g.entered
		for range 1000 {
			require.NoError(t, key.Go(func(*cmwq.Context) error { return nil }))
		}
		synctest.Wait()
		goroutines := bubbled()
		time.Sleep(time.Hour)
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.Equal(t, []any{1, 1000, int64(1)}, []any{st.Active, st.Inactive, st.InFlight})
		require.LessOrEqual(t, bubbled(), goroutines)
		require.NoError(t, q.Go(func(*cmwq.Context) error { return nil }), "the other slot is free")
		synctest.Wait()
		st, err = q.Stats(bg)
		require.NoError(t, err)
		require.EqualValues(t, 2, st.Total)
		g.open <- struct{}{}
		require.NoError(t, q.Flush(bg))
	})
}

// MaxActive counts all keys together, and they take turns.
func TestKeysTakeTurns(t *testing.T) {
	bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(1))
		var got record
		for key := range 3 {
			for range 3 {
				require.NoError(t, q.Keyed(key).Go(func(ctx *cmwq.Context) error {
					got.add(key)
					return ctx.Sleep(time.Millisecond)
				}))
			}
		}
		require.NoError(t, q.Flush(bg))
		require.Equal(t, []int{0, 1, 2, 0, 1, 2, 0, 1, 2}, got.get())
	})
}

// An item that ends badly lets the next one of its key start.
func TestKeyedGoesOnAfterAFailure(t *testing.T) {
	for name, end := range map[string]func(){
		"panic": func() { panic("of the test") }, "goexit": runtime.Goexit,
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q")
				teach(t, q) // so that they are leased together
				var got record
				key := q.Keyed("k")
				g := newGate()
				require.NoError(t, key.Queue(g.Work))
				<-g.entered
				for i := range 5 {
					require.NoError(t, key.Go(func(*cmwq.Context) error { got.add(i); end(); return nil }))
				}
				g.open <- struct{}{}
				require.NoError(t, q.Flush(bg))
				require.Equal(t, []int{0, 1, 2, 3, 4}, got.get())
			})
		})
	}
}

// An item that blocks without saying so is not known to sleep; its key waits, the
// others do not.
func TestASleepingItemHoldsUpItsKeyAlone(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		at := since()
		var ended record
		sleep := func(d time.Duration) func(*cmwq.Context) error {
			return func(*cmwq.Context) error { time.Sleep(d); ended.add(at()); return nil }
		}
		require.NoError(t, q.Keyed("a").Go(sleep(100*time.Millisecond)))
		require.NoError(t, q.Keyed("a").Go(sleep(time.Millisecond)))
		for range 3 {
			require.NoError(t, q.Keyed("b").Go(sleep(time.Millisecond)))
		}
		require.NoError(t, q.Flush(bg))
		require.Equal(t, []int{1, 2, 3, 100, 101}, ended.get())
	})
}

func TestKeysMustBeComparable(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "q")
	w := cmwq.NewWork(func(*cmwq.Context) error { return nil })
	type pair struct{ a, b any }
	for _, bad := range []any{nil, []int{1}, math.NaN(), map[int]int{}, pair{1, []int{2}}, [2]float64{1, math.NaN()}, pair{math.NaN(), 1}} {
		require.ErrorIs(t, q.Keyed(bad).Queue(w), cmwq.ErrKey, "%v", bad)
		require.ErrorIs(t, q.Keyed(bad).QueueAfter(time.Hour, w), cmwq.ErrKey)
		require.ErrorIs(t, q.Keyed(bad).Go(w.Func), cmwq.ErrKey)
		_, err := q.Keyed(bad).Modify(0, w)
		require.ErrorIs(t, err, cmwq.ErrKey)
	}
	require.Equal(t, cmwq.Busy{}, w.Busy())
	for _, good := range []any{1, "a", int8(1), 1.5, pair{1, "b"}, [2]int{}, &w, struct{}{}, uintptr(3)} {
		require.NoError(t, q.Keyed(good).Queue(w), "%v", good)
		require.NoError(t, q.Flush(bg))
	}
	require.ErrorIs(t, q.Keyed(1).Go(nil), cmwq.ErrNoFunc)
	require.ErrorIs(t, q.Keyed(1).Queue(new(cmwq.Work)), cmwq.ErrNoFunc)
}

func TestSubmitWithAKey(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "q")
	var in atomic.Int32
	var futures []*cmwq.Future[int]
	for i := range 100 {
		futures = append(futures, cmwq.Submit(q.Keyed("k"), func(*cmwq.Context) (int, error) {
			if in.Add(1) != 1 {
				t.Error("two at once")
			}
			defer in.Add(-1)
			return i, nil
		}))
	}
	for i, f := range futures {
		v, err := f.Wait(bg)
		require.NoError(t, err)
		require.Equal(t, i, v)
	}
}
