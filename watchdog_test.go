package cmwq_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

const stall = "pool stalls: work waits, and nothing starts"

// unit is what a second would be: pools tick each 100 µs while work waits.
const unit = 2 * time.Millisecond

// watched is a bubble with a watchdog of ten units, where hogs and sleepers are
// not found out: an item that says nothing holds up all behind it.
func watched(t *testing.T, f func(t *testing.T, sys *cmwq.System, log *records), opts ...cmwq.Option) {
	log := &records{}
	opts = append([]cmwq.Option{
		cmwq.WithLogger(log.logger()), cmwq.WithWatchdog(10 * unit), cmwq.WithHogThreshold(0), noGauges(),
	}, opts...)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) { f(t, sys, log) }, opts...)
}

// stuckItem holds its pool up, and anotherItem waits behind it.
func stuckItem(entered, open chan struct{}) func(*cmwq.Context) error {
	return func(ctx *cmwq.Context) error {
		ctx.SetDesc("holding %d", 42)
		entered <- struct{}{}
		<-open
		return nil
	}
}

func anotherItem(*cmwq.Context) error { return nil }

// Kernel: wq_watchdog_timer_fn. Reported within one to two periods, again each
// period, and no more when something starts.
func TestWatchdogReportsAStall(t *testing.T) {
	for name, kind := range map[string]cmwq.QueueOption{"percpu": cmwq.PerCPU(), "bh": cmwq.BH()} {
		t.Run(name, func(t *testing.T) {
			watched(t, func(t *testing.T, sys *cmwq.System, log *records) {
				q := queue(t, sys, "q", kind)
				entered, open := make(chan struct{}), make(chan struct{})
				release := sync.OnceFunc(func() { close(open) })
				defer release()
				require.NoError(t, q.Go(stuckItem(entered, open)))
				<-entered
				time.Sleep(55 * unit)
				require.Empty(t, log.find(stall), "a long item with nothing behind it")
				for range 3 {
					require.NoError(t, q.Go(anotherItem))
				}
				time.Sleep(9 * unit)
				require.Empty(t, log.find(stall))
				time.Sleep(12 * unit)
				n := len(log.find(stall))
				require.GreaterOrEqual(t, n, 1)
				time.Sleep(30 * unit)
				got := log.find(stall)
				require.Len(t, got, n+3, "again each period")
				last := got[n+2]
				require.Equal(t, "WARN", last["level"])
				require.Equal(t, map[string]string{"percpu": "0", "bh": "bh/0"}[name], last["pool"])
				require.Equal(t, "3", last["waiting"])
				require.Contains(t, last["running"], "q: ")
				require.Contains(t, last["running"], "cmwq_test.TestWatchdogReportsAStall")
				require.Contains(t, last["running"], `stuckItem`)
				require.Contains(t, last["running"], `"holding 42"`)
				require.Regexp(t, `for 0\.2[0-9]*s, running`, last["running"])
				require.Equal(t, "[q: 3*github.com/cmwq/cmwq_test.anotherItem]", last["pending"])
				hung, err := time.ParseDuration(last["hung"])
				require.NoError(t, err)
				require.GreaterOrEqual(t, hung, 30*unit)
				release()
				require.NoError(t, q.Flush(bg))
				time.Sleep(60 * unit)
				require.Len(t, log.find(stall), n+3, "it goes on")
			})
		})
	}
}

// R16: an item that comes onto a list that was empty for long, right before the
// look, is no stall.
func TestR16WatchdogSeesWhatHasJustCome(t *testing.T) {
	watched(t, func(t *testing.T, sys *cmwq.System, log *records) {
		q := queue(t, sys, "q", cmwq.PerCPU())
		entered, open := make(chan struct{}), make(chan struct{})
		release := sync.OnceFunc(func() { close(open) })
		defer release()
		hold := func() {
			require.NoError(t, q.Go(stuckItem(entered, open)))
			<-entered
		}
		hold()
		require.NoError(t, q.Go(anotherItem)) // from now on there are looks, each 10
		synctest.Wait()
		time.Sleep(5 * unit)
		open <- struct{}{}
		require.NoError(t, q.Flush(bg))
		hold()
		time.Sleep(5*unit - time.Millisecond)
		require.NoError(t, q.Go(anotherItem))
		synctest.Wait()
		time.Sleep(2 * time.Millisecond) // the look
		require.Empty(t, log.find(stall))
		time.Sleep(9 * unit)
		open <- struct{}{}
		require.NoError(t, q.Flush(bg))
		time.Sleep(60 * unit)
		require.Empty(t, log.find(stall))
	})
}

// Progress is a start, however slow: items of 9 units each, and always one waits.
func TestWatchdogLeavesSlowPoolsAlone(t *testing.T) {
	watched(t, func(t *testing.T, sys *cmwq.System, log *records) {
		q := queue(t, sys, "q", cmwq.PerCPU())
		var ran atomic.Int32
		for range 10 {
			require.NoError(t, q.Go(func(*cmwq.Context) error { time.Sleep(9 * unit); ran.Add(1); return nil }))
		}
		require.NoError(t, q.Flush(bg))
		require.EqualValues(t, 10, ran.Load())
		require.Empty(t, log.find(stall))
	})
}

// R12: an item that loops and yields keeps its CPU's count, and all that waits
// behind it; the watchdog tells. A real sleep lets the next one start.
func TestR12LoopingIsNotSleeping(t *testing.T) {
	watched(t, func(t *testing.T, sys *cmwq.System, log *records) {
		q := queue(t, sys, "q", cmwq.PerCPU())
		var enough, ran atomic.Bool
		begun := make(chan struct{})
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error {
			close(begun)
			for !enough.Load() {
				ctx.Yield()
				time.Sleep(unit) // in place of work
			}
			return ctx.Sleep(100 * unit)
		}))
		<-begun
		at := since()
		w := cmwq.NewWork(func(*cmwq.Context) error { ran.Store(true); return nil })
		require.NoError(t, q.Queue(w))
		time.Sleep(35 * unit)
		require.False(t, ran.Load())
		require.NotEmpty(t, log.find(stall))
		enough.Store(true)
		require.NoError(t, w.Flush(bg))
		require.LessOrEqual(t, at(), int(36*unit/time.Millisecond), "it starts when the other one sleeps, not when it ends")
		require.NoError(t, q.Flush(bg))
	})
}

// stuckQueue gives a queue with an item that does not end before release, and another
// behind it.
func stuckQueue(t *testing.T, sys *cmwq.System) (q *cmwq.Queue, release func()) {
	t.Helper()
	q = queue(t, sys, "q", cmwq.PerCPU())
	entered, open := make(chan struct{}), make(chan struct{})
	require.NoError(t, q.Go(stuckItem(entered, open)))
	<-entered
	require.NoError(t, q.Go(anotherItem))
	return q, sync.OnceFunc(func() { close(open) })
}

func TestTouchWatchdog(t *testing.T) {
	watched(t, func(t *testing.T, sys *cmwq.System, log *records) {
		q, release := stuckQueue(t, sys)
		defer release()
		for range 20 {
			time.Sleep(4 * unit)
			sys.TouchWatchdog()
		}
		require.Empty(t, log.find(stall))
		time.Sleep(20 * unit)
		require.NotEmpty(t, log.find(stall), "nobody touches it any more")
		release()
		require.NoError(t, q.Flush(bg))
	})
}

func TestWatchdogOff(t *testing.T) {
	watched(t, func(t *testing.T, sys *cmwq.System, log *records) {
		q, release := stuckQueue(t, sys)
		defer release()
		time.Sleep(100 * unit)
		require.Empty(t, log.find(stall))
		release()
		require.NoError(t, q.Flush(bg))
	}, cmwq.WithWatchdog(0))
	_, err := cmwq.New(cmwq.WithWatchdog(-1))
	require.ErrorIs(t, err, cmwq.ErrOption)
}

// Two pools stall at different times: each is told of by itself.
func TestWatchdogWatchesEveryPool(t *testing.T) {
	topo, err := topology.Uniform(1, 1, 3, 1)
	require.NoError(t, err)
	watched(t, func(t *testing.T, sys *cmwq.System, log *records) {
		q := queue(t, sys, "q", cmwq.PerCPU())
		open := make(chan struct{})
		release := sync.OnceFunc(func() { close(open) })
		defer release()
		for cpu := range 2 {
			entered := make(chan struct{})
			require.NoError(t, q.QueueOn(cpu, cmwq.NewWork(stuckItem(entered, open))))
			<-entered
			require.NoError(t, q.QueueOn(cpu, cmwq.NewWork(anotherItem)))
			time.Sleep(3 * unit)
		}
		time.Sleep(20 * unit)
		pools := map[string]bool{}
		for _, r := range log.find(stall) {
			pools[r["pool"]] = true
		}
		require.Equal(t, map[string]bool{"0": true, "1": true}, pools)
		release()
		require.NoError(t, q.Flush(bg))
	}, cmwq.WithTopology(topo))
}
