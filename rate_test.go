package cmwq_test

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// stamps are the virtual times at which items began, in ms.
type stamps struct {
	record
	at func() int
}

func (s *stamps) item(*cmwq.Context) error { s.add(s.at()); return nil }

func TestRateSpreadsStarts(t *testing.T) {
	for name, kind := range allKinds {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", append(slices.Clone(kind), cmwq.Rate(10, 2))...)
				var order record
				ran := stamps{at: since()}
				for i := range 6 {
					require.NoError(t, q.Go(func(ctx *cmwq.Context) error { order.add(i); return ran.item(ctx) }))
				}
				synctest.Wait()
				require.Equal(t, []int{0, 0}, ran.get())
				st, err := q.Stats(bg)
				require.NoError(t, err)
				require.Zero(t, st.Active, "who waits for a token holds no slot")
				require.Equal(t, 4, st.Inactive)
				require.NoError(t, q.Flush(bg), "which waits for them")
				require.Equal(t, []int{0, 0, 100, 200, 300, 400}, ran.get())
				require.Equal(t, []int{0, 1, 2, 3, 4, 5}, order.get())
				time.Sleep(time.Second) // the bucket fills, and no more
				for range 4 {
					require.NoError(t, q.Go(ran.item))
				}
				require.NoError(t, q.Drain(bg))
				require.Equal(t, []int{1400, 1400, 1500, 1600}, ran.get()[6:])
			})
		})
	}
}

// What waits for a token stands in nobody's way, and a keyed item neither.
func TestRateHoldsUpNobodyElse(t *testing.T) {
	for name, kind := range map[string]cmwq.QueueOption{"managed": cmwq.MaxActive(0), "percpu": cmwq.PerCPU(), "bh": cmwq.BH()} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				slow := queue(t, sys, "slow", kind, cmwq.Rate(1, 1))
				other := queue(t, sys, "other", kind)
				ran, free := stamps{at: since()}, stamps{at: since()}
				for i := range 3 {
					require.NoError(t, slow.Keyed(i%2).Go(ran.item))
					require.NoError(t, other.Go(free.item))
				}
				w := cmwq.NewWork(ran.item)
				require.NoError(t, slow.Queue(w))
				synctest.Wait()
				require.Equal(t, []int{0, 0, 0}, free.get())
				require.Equal(t, []int{0}, ran.get())
				require.True(t, w.Cancel())
				require.NoError(t, slow.Flush(bg))
				require.Equal(t, []int{0, 1000, 2000}, ran.get())
			})
		})
	}
}

func TestSetRate(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		ran := stamps{at: since()}
		add := func(n int) {
			for range n {
				require.NoError(t, q.Go(ran.item))
			}
		}
		require.NoError(t, q.SetRate(10, 1))
		add(3)
		time.Sleep(150 * time.Millisecond)
		require.NoError(t, q.SetRate(0, 1), "nothing starts any more")
		time.Sleep(time.Hour)
		require.Equal(t, []int{0, 100}, ran.get())
		require.NoError(t, q.SetRate(rate.Inf, 0), "everything does")
		add(5)
		synctest.Wait()
		require.Len(t, ran.get(), 8)
		require.NoError(t, q.SetRate(1, 1))
		add(1)
		synctest.Wait()
		add(2)
		time.Sleep(1500 * time.Millisecond)
		require.Len(t, ran.get(), 9)
		require.NoError(t, q.SetRate(4, 2), "from this moment")
		require.NoError(t, q.Flush(bg))
		for i, bad := range []struct {
			perSecond rate.Limit
			burst     int
		}{{-1, 1}, {rate.Limit(math.NaN()), 1}, {1, 0}} {
			require.ErrorIs(t, q.SetRate(bad.perSecond, bad.burst), cmwq.ErrOption)
			_, err := sys.NewQueue(fmt.Sprint(i), cmwq.Rate(bad.perSecond, bad.burst))
			require.ErrorIs(t, err, cmwq.ErrOption)
		}
		require.ErrorIs(t, sys.Default().SetRate(1, 1), cmwq.ErrSystemQueue)
		require.NoError(t, q.Destroy(bg))
		require.ErrorIs(t, q.SetRate(1, 1), cmwq.ErrDestroyed)
	})
}

// requireRate looks at every window: in none of them did more items start than the
// bucket allows.
func requireRate(t *testing.T, at []time.Duration, perSecond float64, burst int) {
	t.Helper()
	slices.Sort(at)
	for i := range at {
		for j := i; j < len(at); j++ {
			most := float64(burst) + perSecond*(at[j]-at[i]).Seconds()
			require.LessOrEqual(t, float64(j-i+1), most+1e-3, "from %v to %v", at[i], at[j])
		}
	}
}

// One bucket serves all pools of a queue, also while they change; items that sleep, that
// queue themselves, that are cancelled and frozen do not change what a window allows,
// and none of it is lost for ever.
func TestRateHoldsInEveryWindow(t *testing.T) {
	machine, _ := pods(t, fourPods)
	for name, opts := range short.Cases(map[string][]cmwq.QueueOption{
		"managed": {cmwq.MaxActive(3)}, "unbound": {cmwq.Unbound()}, "percpu": {cmwq.PerCPU()}, "fixed": {cmwq.MaxActive(8)},
	}) {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", append(opts, cmwq.Rate(100, 5), cmwq.Freezable())...)
				if name == "fixed" {
					require.NoError(t, q.Fix(2, 100))
				}
				begin := time.Now()
				var mu sync.Mutex
				var at []time.Duration
				f := func(ctx *cmwq.Context) error {
					mu.Lock()
					at = append(at, time.Since(begin))
					n := len(at)
					mu.Unlock()
					return ctx.Sleep(time.Duration(n%4) * 7 * time.Millisecond)
				}
				works := make([]*cmwq.Work, 20)
				for i := range works {
					works[i] = cmwq.NewWork(f)
				}
				for i := range 300 {
					switch i % 4 {
					case 0:
						require.NoError(t, q.Go(f))
					case 1:
						_ = q.QueueOn(i/4%4, works[i%20])
					case 2:
						require.NoError(t, q.Keyed(i%3).Go(f))
					case 3:
						works[(i+7)%20].Cancel()
						_ = q.QueueAfter(time.Duration(i)*time.Millisecond, works[(i+9)%20])
					}
					switch i {
					case 100:
						require.NoError(t, sys.Freeze(bg))
						time.Sleep(300 * time.Millisecond)
						sys.Thaw()
					case 200:
						if name != "percpu" {
							require.NoError(t, q.SetAttrs(bg, cmwq.Nice(5)))
						}
					}
				}
				for _, w := range works {
					require.NoError(t, w.Flush(bg))
				}
				require.NoError(t, q.Flush(bg))
				took := time.Since(begin)
				requireRate(t, at, 100, 5)
				require.Less(t, took.Seconds(), float64(len(at))/100+1, "and it is used")
			}, machine, noGauges(), cmwq.WithHogThreshold(0))
		})
	}
}

// A stall does not add up to more than a burst.
func TestRateAfterAStall(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.PerCPU(), cmwq.Rate(10, 2))
		other := queue(t, sys, "other", cmwq.PerCPU())
		ran := stamps{at: since()}
		f, open := plainGate()
		require.NoError(t, other.Go(f)) // it has the only CPU
		synctest.Wait()
		for range 5 {
			require.NoError(t, q.Go(ran.item))
		}
		time.Sleep(time.Second)
		close(open)
		require.NoError(t, q.Flush(bg))
		require.Equal(t, []int{1000, 1000, 1100, 1200, 1300}, ran.get())
	}, noGauges(), cmwq.WithHogThreshold(0))
}

// Items of one key that are known to be short ride in one lease, but not these.
func TestRateOfShortItemsOfOneKey(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		for range 100 {
			require.NoError(t, q.Keyed("k").Go(nop))
		}
		require.NoError(t, q.Flush(bg))
		require.NoError(t, q.SetRate(10, 1))
		ran := stamps{at: since()}
		for range 4 {
			require.NoError(t, q.Keyed("k").Go(ran.item))
		}
		require.NoError(t, q.Flush(bg))
		require.Equal(t, []int{0, 100, 200, 300}, ran.get())
	})
}
