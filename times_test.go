package cmwq_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/topology"
)

// near7 requires quantiles within 7 % of those of all values.
func near7(t *testing.T, what string, all []time.Duration, got cmwq.Distribution) {
	t.Helper()
	require.EqualValues(t, len(all), got.N, what)
	slices.Sort(all)
	n := len(all)
	for share, q := range map[float64]time.Duration{0.5: got.P50, 0.9: got.P90, 0.99: got.P99, 0.999: got.P999, 1: got.Max} {
		want := all[max(0, int(math.Ceil(share*float64(n)))-1)]
		require.InDelta(t, float64(want), float64(q), 32+0.07*float64(want), "%s: %v of all", what, share)
	}
	sum := time.Duration(0)
	for _, x := range all {
		sum += x
	}
	require.InDelta(t, float64(sum)/float64(n), float64(got.Mean), 32+0.01*float64(sum)/float64(n), what)
}

// timesOf runs bursts of work that takes known times, and requires that the queue's are
// those. How it comes to the queue is the caller's.
func timesOf(t *testing.T, sys *cmwq.System, name string, queue func(i int, d time.Duration, f func(*cmwq.Context) error) error, flush func()) {
	rng := rand.New(rand.NewPCG(1, 2))
	type took struct{ wait, run time.Duration }
	all := make(chan took, 10000)
	for range short.AtLeast(4, 20) {
		for i := range 1 + rng.IntN(40) {
			takes := time.Duration(rng.ExpFloat64()*float64(time.Millisecond)) + 20*time.Microsecond
			after := time.Duration(0)
			if i%7 == 0 {
				after = time.Duration(rng.IntN(10))*time.Millisecond + 7
			}
			came := time.Now().Add(after)
			require.NoError(t, queue(i, after, func(*cmwq.Context) error {
				start := time.Now()
				time.Sleep(takes) // in place of work
				all <- took{start.Sub(came), time.Since(start)}
				return nil
			}))
		}
		time.Sleep(time.Duration(rng.IntN(60)) * time.Millisecond)
	}
	time.Sleep(time.Second)
	flush()
	synctest.Wait()
	close(all)
	var waits, runs []time.Duration
	for x := range all {
		waits, runs = append(waits, x.wait), append(runs, x.run)
	}
	st := snapshotOf(t, sys, name)
	near7(t, "wait", waits, st.Wait)
	near7(t, "run", runs, st.Run)
}

// Issue: percentiles of known times, of every kind of queue.
func TestTimesOfKinds(t *testing.T) {
	for name, kind := range withBH() {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind)
				timesOf(t, sys, "q", func(i int, d time.Duration, f func(*cmwq.Context) error) error {
					if d > 0 || i%2 == 0 {
						return q.QueueAfter(d, cmwq.NewWork(f))
					}
					return q.Go(f)
				}, func() { require.NoError(t, q.Flush(bg)) })
			}, cmwq.WithMonitor(), noGauges(), cmwq.WithHogThreshold(0))
		})
	}
	for name, opts := range map[string][]cmwq.QueueOption{
		"keyed": nil, "bounded": {cmwq.Bounded(100000, cmwq.DropOldest)}, "limited": {cmwq.MaxWait(time.Hour)},
		"at most 3": {cmwq.MaxActive(3)}, "fixed": {},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", opts...)
				if name == "fixed" {
					require.NoError(t, q.Fix(2, 4))
				}
				timesOf(t, sys, "q", func(i int, d time.Duration, f func(*cmwq.Context) error) error {
					if name == "keyed" {
						return q.Keyed(i%3).QueueAfter(d, cmwq.NewWork(f))
					}
					return q.QueueAfter(d, cmwq.NewWork(f))
				}, func() { require.NoError(t, q.Flush(bg)) })
			}, cmwq.WithMonitor(), noGauges(), cmwq.WithHogThreshold(0))
		})
	}
}

// Of a flood of short work some is measured and counts for the rest: the numbers come
// out right, whether items are new or are queued again and again, and so do the times.
func TestTimesOfAFlood(t *testing.T) {
	for name, fill := range short.Cases(map[string]func(q *cmwq.Queue, ring []*cmwq.Work) error{
		"closures": func(q *cmwq.Queue, ring []*cmwq.Work) (err error) {
			for range ring {
				err = q.Go(nop)
			}
			return err
		},
		"items": func(q *cmwq.Queue, ring []*cmwq.Work) (err error) {
			for _, w := range ring {
				err = q.Queue(w)
			}
			return err
		},
		"new items": func(q *cmwq.Queue, ring []*cmwq.Work) (err error) {
			for range ring {
				err = q.Queue(cmwq.NewWork(nop))
			}
			return err
		},
	}) {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.Ordered())
				ring := make([]*cmwq.Work, 4000)
				for i := range ring {
					ring[i] = cmwq.NewWork(nop)
				}
				slow := func(*cmwq.Context) error { time.Sleep(10 * time.Millisecond); return nil }
				gate, middle := cmwq.NewWork(slow), cmwq.NewWork(slow)
				rounds := short.AtLeast(12, 100)
				for range rounds {
					require.NoError(t, q.Queue(gate))
					require.NoError(t, fill(q, ring[:1000]))
					require.NoError(t, q.Queue(middle))
					require.NoError(t, fill(q, ring[1000:]))
					require.NoError(t, q.Flush(bg))
				}
				st := snapshotOf(t, sys, "q")
				require.EqualValues(t, rounds*(len(ring)+2), st.Stats.Total)
				// In the first round each is measured; of the rest one in 512, each for 512:
				// the standard deviation is at most 3.6 % of a hundred rounds.
				require.InEpsilon(t, st.Stats.Total, st.Wait.N, 4*math.Sqrt(512/float64(st.Stats.Total)))
				require.Equal(t, st.Wait.N, st.Run.N)
				require.InEpsilon(t, 20*time.Millisecond, st.Wait.P50, 0.07)
				require.InEpsilon(t, 20*time.Millisecond, st.Wait.P999, 0.07)
				// Two of 4002 are slow, and each that is chosen counts for 512: one may be a
				// hundredth of the fewest rounds, and ten of those do not choose so many.
				require.Zero(t, st.Run.P90, "one that is measured ends when the next begins")
				require.Less(t, st.Run.Max, 11*time.Millisecond)
			}, cmwq.WithMonitor(), noGauges(), cmwq.WithHogThreshold(0))
		})
	}
}

// What is cancelled, or waits for ever, leaves nothing behind: an item's next time is its
// own.
func TestTimesOfItemsThatWereTakenBack(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q, other := queue(t, sys, "q", cmwq.PerCPU()), queue(t, sys, "other", cmwq.PerCPU())
		hold, entered, open := latch()
		w := cmwq.NewWork(func(*cmwq.Context) error { time.Sleep(2 * time.Millisecond); return nil })
		require.NoError(t, q.Queue(hold))
		<-entered
		require.NoError(t, q.Queue(w))
		time.Sleep(100 * time.Millisecond)
		require.True(t, w.Cancel())
		require.NoError(t, q.QueueAfter(time.Hour, w))
		time.Sleep(50 * time.Millisecond)
		_, err := other.Modify(0, w)
		require.NoError(t, err)
		time.Sleep(4 * time.Millisecond)
		open <- struct{}{}
		require.NoError(t, other.Flush(bg))
		st := snapshotOf(t, sys, "other")
		near7(t, "wait", []time.Duration{4 * time.Millisecond}, st.Wait)
		near7(t, "run", []time.Duration{2 * time.Millisecond}, st.Run)
	}, cmwq.WithMonitor(), noGauges(), cmwq.WithHogThreshold(0))
}

// Times stay with the queue when its pools change, and are nobody's without WithMonitor.
func TestTimesOfSharesThatLeft(t *testing.T) {
	for _, on := range []bool{true, false} {
		opts := []cmwq.Option{noGauges(), cmwq.WithHogThreshold(0)}
		if on {
			opts = append(opts, cmwq.WithMonitor())
		}
		bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
			q := queue(t, sys, "q")
			var runs []time.Duration
			for i, scope := range []topology.Scope{topology.ScopeCPU, topology.ScopeSystem, topology.ScopeCPU, topology.ScopeSMT} {
				d := time.Duration(i+1) * time.Millisecond
				require.NoError(t, q.Go(func(*cmwq.Context) error { time.Sleep(d); return nil }))
				runs = append(runs, d)
				require.NoError(t, q.SetAttrs(bg, cmwq.Affinity(scope, false)))
				require.NoError(t, q.Flush(bg))
				synctest.Wait()
			}
			st := snapshotOf(t, sys, "q")
			if !on {
				require.Zero(t, st.Wait)
				require.Zero(t, st.Run)
				return
			}
			near7(t, "run", runs, st.Run)
			n := int64(0)
			for _, b := range st.Run.Buckets {
				n += b.N
			}
			require.Equal(t, st.Run.N, n)
		}, opts...)
	}
}

// After a flood each item is measured again, also on items that were decided about before.
func TestTimesAfterAFlood(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Ordered())
		for range 5 {
			for range 4000 {
				require.NoError(t, q.Go(nop))
			}
			require.NoError(t, q.Flush(bg))
		}
		slow := func(*cmwq.Context) error { time.Sleep(10 * time.Millisecond); return nil }
		require.NoError(t, q.Go(slow))
		require.NoError(t, q.Flush(bg))
		before := snapshotOf(t, sys, "q").Run.N
		for range 100 {
			require.NoError(t, q.Go(slow))
			require.NoError(t, q.Flush(bg))
		}
		st := snapshotOf(t, sys, "q").Run
		require.Equal(t, before+100, st.N)
		require.InDelta(t, 10*time.Millisecond, st.Max, float64(time.Microsecond))
	}, cmwq.WithMonitor(), noGauges(), cmwq.WithHogThreshold(0))
}
