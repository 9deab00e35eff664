package cmwq_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// burning is an item that has a CPU for so long and says nothing. In a bubble
// spinning would stop the clock; a plain sleep is the same to the pool.
func burning(d time.Duration) func(*cmwq.Context) error {
	return func(*cmwq.Context) error { time.Sleep(d); return nil }
}

// Row 38.
func TestAHogIsDeclaredAfterTenMilliseconds(t *testing.T) {
	for _, tt := range []struct {
		name string
		kind cmwq.QueueOption
		hog  func(*cmwq.Context) error
		opts []cmwq.Option
		at   int   // ms after which the item behind it starts
		hogs int64 // declared
		give int   // ms that at may be off: the age rule looks at turns and ticks, and two items in one lease part after a millisecond
	}{
		{"a hog", cmwq.PerCPU(), burning(30 * time.Millisecond), nil, 10, 1, 0},
		{"a managed pool grows before", cmwq.HighPri(), burning(30 * time.Millisecond), nil, 7, 0, 1},
		{"a longer threshold", cmwq.PerCPU(), burning(30 * time.Millisecond), []cmwq.Option{cmwq.WithHogThreshold(20 * time.Millisecond)}, 20, 1, 0},
		{"turned off", cmwq.PerCPU(), burning(30 * time.Millisecond), []cmwq.Option{cmwq.WithHogThreshold(0)}, 30, 0, 0},
		{"not so long", cmwq.PerCPU(), burning(9 * time.Millisecond), nil, 9, 0, 0},
		{"unbound", cmwq.Unbound(), burning(30 * time.Millisecond), nil, 0, 0, 1},
		{"a sleep starts the clock anew", cmwq.PerCPU(), func(ctx *cmwq.Context) error {
			time.Sleep(9 * time.Millisecond)
			_ = ctx.Sleep(time.Millisecond)
			time.Sleep(9 * time.Millisecond)
			return nil
		}, nil, 9, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", tt.kind)
				require.NoError(t, q.Go(func(*cmwq.Context) error { return nil })) // the pool has its workers
				require.NoError(t, q.Flush(bg))
				at := since()
				started := make(chan int, 1)
				require.NoError(t, q.Go(tt.hog))
				require.NoError(t, q.Go(func(*cmwq.Context) error { started <- at(); return nil }))
				require.InDelta(t, tt.at, <-started, float64(tt.give))
				require.NoError(t, q.Flush(bg))
				st, err := q.Stats(bg)
				require.NoError(t, err)
				require.Equal(t, tt.hogs, st.CPUHog)
			}, append([]cmwq.Option{noGauges()}, tt.opts...)...)
		})
	}
}

// Row 40: what was said of a hog is not said of the item after it.
func TestAHogsWorkerIsManagedAgain(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.PerCPU())
		for range 3 {
			require.NoError(t, q.Go(burning(30*time.Millisecond)))
			require.NoError(t, q.Go(burning(0))) // makes it a hog
			require.NoError(t, q.Flush(bg))
			at := since()
			started := make(chan int, 2)
			say := func(*cmwq.Context) error { started <- at(); return nil }
			require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
				time.Sleep(5 * time.Millisecond)
				_ = ctx.Sleep(time.Millisecond)
				time.Sleep(5 * time.Millisecond)
				return nil
			}))
			require.NoError(t, q.Go(say))
			require.Equal(t, 5, <-started, "it holds the CPU until it sleeps")
			time.Sleep(2 * time.Millisecond)
			require.NoError(t, q.Go(say))
			require.Equal(t, 11, <-started, "and holds it again")
		}
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.EqualValues(t, 3, st.CPUHog)
	}, noGauges())
}

// Row 41.
func TestUnboundItemsStartAtOnce(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Unbound())
		at := since()
		var m meter
		for range 50 {
			require.NoError(t, q.Queue(m.work(func(*cmwq.Context) { time.Sleep(30 * time.Millisecond) })))
		}
		synctest.Wait()
		require.EqualValues(t, 50, m.in.Load())
		require.Zero(t, at())
		require.NoError(t, q.Flush(bg))
		require.Equal(t, 30, at())
	}, noGauges())
}

// Row 44: neither one that says so, nor one that does not.
func TestAWorkerThatBlocksForEverDoesNotStopThePool(t *testing.T) {
	for name, kind := range kinds {
		if name == "ordered" {
			continue // there it does, and must
		}
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind)
				free := make(chan struct{})
				require.NoError(t, q.Go(func(ctx *cmwq.Context) error { ctx.Block(func() { <-free }); return nil }))
				goesOn(t, q)
				close(free)
			}, noGauges(), cmwq.WithHogThreshold(0))
		})
		t.Run(name+" unsaid", func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind)
				free := make(chan struct{})
				require.NoError(t, q.Go(func(*cmwq.Context) error { <-free; return nil }))
				goesOn(t, q)
				close(free)
			}, noGauges())
		})
	}
}

// goesOn looks whether a queue's items are executed.
func goesOn(t *testing.T, q *cmwq.Queue) {
	t.Helper()
	var ran atomic.Int32
	for range 100 {
		require.NoError(t, q.Go(func(*cmwq.Context) error { ran.Add(1); return nil }))
	}
	time.Sleep(time.Second)
	synctest.Wait()
	require.EqualValues(t, 100, ran.Load())
}

// Row 48.
func TestTheWorkerThatWentIdleLastIsUsedFirst(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		for _, longest := range []int{0, 3, 1, 4, 2} {
			names := make([]string, 5)
			for i := range names {
				require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
					names[i] = ctx.Worker()
					return ctx.Sleep(time.Duration(1+(i-longest+4)%5) * time.Millisecond)
				}))
			}
			require.NoError(t, q.Flush(bg))
			var name string
			require.NoError(t, q.Go(func(ctx *cmwq.Context) error { name = ctx.Worker(); return nil }))
			require.NoError(t, q.Flush(bg))
			require.Equal(t, names[longest], name)
		}
	}, cmwq.WithHogThreshold(0), noGauges())
}
