package cmwq_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// An item on a CPU yields and yields, and another waits for that CPU. Yielding
// is no sleep: it starts only if the first is out of the count.
func TestR1YieldIsNotSleep(t *testing.T) {
	type opts = []cmwq.QueueOption
	for _, tt := range []struct {
		name      string
		hog, next opts
		waits     bool
	}{
		{"another queue of the same pool does not help", opts{cmwq.PerCPU()}, opts{cmwq.PerCPU()}, true},
		{"a CPU-intensive one does", opts{cmwq.PerCPU(), cmwq.CPUIntensive()}, opts{cmwq.PerCPU()}, false},
		{"an unbound one does", opts{cmwq.Unbound()}, opts{cmwq.PerCPU()}, false},
		{"an unbound item does not wait for it", opts{cmwq.PerCPU()}, opts{cmwq.Unbound()}, false},
		{"nor one of high priority", opts{cmwq.PerCPU()}, opts{cmwq.PerCPU(), cmwq.HighPri()}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sys := start(t, oneCPU(t), cmwq.WithHogThreshold(0), noGauges())
			hogs, next := queue(t, sys, "hogs", tt.hog...), queue(t, sys, "next", tt.next...)
			var ran atomic.Bool
			queued, beside := make(chan struct{}), make(chan bool, 1)
			require.NoError(t, hogs.Go(func(ctx *cmwq.Context) error {
				<-queued
				for i := 0; !ran.Load() && (i < 10000 || !tt.waits); i++ {
					ctx.Yield()
				}
				beside <- ran.Load()
				return nil
			}))
			require.NoError(t, next.Go(func(*cmwq.Context) error { ran.Store(true); return nil }))
			close(queued)
			require.Equal(t, !tt.waits, <-beside)
			require.NoError(t, next.Flush(bg))
			require.True(t, ran.Load())
		})
	}
}

// An item spins until an item of another queue of that CPU has made room for
// it. The hog rule ends what would be a deadlock; a managed pool grows before
// that, for what waits gets old while nothing gets done.
func TestR2SpinningForAnotherQueuesItem(t *testing.T) {
	for kind, want := range map[string]struct{ at, hogs int }{"percpu": {10, 1}, "managed": {7, 0}} {
		t.Run(kind, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				spinners, space := queue(t, sys, "spinners", kinds[kind]), queue(t, sys, "space", kinds[kind])
				at := since()
				var room atomic.Bool
				spinner := cmwq.NewWork(func(*cmwq.Context) error {
					for i := 0; !room.Load() && i < 20000; i++ {
						time.Sleep(50 * time.Microsecond) // burns, as far as the pool can tell
					}
					return nil
				})
				require.NoError(t, spinners.Queue(spinner))
				synctest.Wait()
				require.NoError(t, space.Go(func(*cmwq.Context) error { room.Store(true); return nil }))
				require.NoError(t, spinner.Flush(bg))
				require.Equal(t, want.at, at())
				st, err := spinners.Stats(bg)
				require.NoError(t, err)
				require.EqualValues(t, want.hogs, st.CPUHog, "it is the spinner that is blamed")
			}, noGauges())
		})
	}
}

// However many CPUs share a cache, few of them share a pool and its mailbox.
func TestR30SharersOfAPoolAreBounded(t *testing.T) {
	for text, want := range map[string]int{"llc:1 core:12": 2, "llc:1 core:36": 5, "llc:1 core:72": 9, "llc:2 core:4": 2} {
		t.Run(text, func(t *testing.T) {
			machine, cpus := pods(t, text)
			sys := start(t, machine)
			q := queue(t, sys, "q")
			sharers := map[string]int{}
			for cpu := range cpus {
				var pool string
				w := cmwq.NewWork(func(ctx *cmwq.Context) error {
					pool, _, _ = strings.Cut(ctx.Worker(), ":")
					return nil
				})
				require.NoError(t, q.QueueOn(cpu, w))
				require.NoError(t, w.Flush(bg))
				sharers[pool]++
			}
			require.Len(t, sharers, want)
			for pool, n := range sharers {
				require.LessOrEqual(t, n, 11, pool)
			}
		})
	}
}
