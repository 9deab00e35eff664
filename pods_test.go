package cmwq_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/topology"
)

// pods gives a synthetic machine; each of its last-level caches has a pool.
func pods(t *testing.T, text string) (cmwq.Option, int) {
	t.Helper()
	topo, err := topology.Parse(text)
	require.NoError(t, err)
	return cmwq.WithTopology(topo), topo.NumCPU()
}

const twoPods, fourPods = "llc:2 core:2", "llc:4 core:2"

// meter counts what executes at once.
type meter struct{ in, most, done atomic.Int32 }

func (m *meter) work(f func(*cmwq.Context)) *cmwq.Work {
	return cmwq.NewWork(func(ctx *cmwq.Context) error {
		n := m.in.Add(1)
		for was := m.most.Load(); n > was && !m.most.CompareAndSwap(was, n); was = m.most.Load() {
		}
		f(ctx)
		m.in.Add(-1)
		m.done.Add(1)
		return nil
	})
}

// Items of a queue go to pools that know nothing of each other; the limit is of
// all together: it is used up, and never exceeded.
func TestMaxActiveIsOfAllPodsTogether(t *testing.T) {
	for _, text := range []string{twoPods, fourPods} {
		for _, limit := range []int{1, 2, 3, 16} {
			t.Run(fmt.Sprint(text, "/", limit), func(t *testing.T) {
				machine, cpus := pods(t, text)
				bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
					q := queue(t, sys, "q", cmwq.MaxActive(limit))
					var m meter
					n := short.AtLeast(40, 100)
					for range n {
						w := m.work(func(ctx *cmwq.Context) { _ = ctx.Sleep(time.Millisecond) })
						require.NoError(t, q.QueueOn(rand.IntN(cpus), w))
					}
					require.NoError(t, q.Flush(bg))
					require.EqualValues(t, n, m.done.Load())
					require.EqualValues(t, limit, m.most.Load())
				}, machine, noGauges())
			})
		}
	}
}

// The limit goes up and down while items run on two pods: it is never exceeded by
// what starts under it, and all of it can be used again after it was low.
func TestMaxActiveOfPodsGoesUpAndDown(t *testing.T) {
	machine, cpus := pods(t, twoPods)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(8))
		for _, limit := range []int{8, 2, 5, 1, 16, 3, 8} {
			require.NoError(t, q.SetMaxActive(limit))
			var m meter
			for i := range 64 {
				require.NoError(t, q.QueueOn(i%cpus, m.work(func(ctx *cmwq.Context) { _ = ctx.Sleep(time.Millisecond) })))
			}
			synctest.Wait()
			require.EqualValues(t, limit, m.in.Load(), "all slots are in use")
			require.NoError(t, q.SetMaxActive(1), "lowering stops none")
			time.Sleep(1500 * time.Microsecond)
			synctest.Wait()
			require.EqualValues(t, 1, m.in.Load(), "and what starts then obeys it")
			require.NoError(t, q.SetMaxActive(limit))
			synctest.Wait()
			require.EqualValues(t, limit, m.in.Load(), "raising starts what waits, at once")
			require.NoError(t, q.Flush(bg))
			require.EqualValues(t, limit, m.most.Load())
		}
	}, machine, noGauges())
}

func TestFlushOverSeveralPods(t *testing.T) {
	machine, cpus := pods(t, fourPods)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		for _, limit := range []int{1, 0} {
			q := queue(t, sys, fmt.Sprint(limit), cmwq.MaxActive(limit))
			for round := range 10 {
				var before, after meter
				for i := range 20 {
					require.NoError(t, q.QueueOn(rand.IntN(cpus), before.work(func(ctx *cmwq.Context) { _ = ctx.Sleep(time.Duration(i) * time.Microsecond) })))
				}
				flushed := make(chan int32, 1)
				go func() { _ = q.Flush(bg); flushed <- before.done.Load() }()
				synctest.Wait()
				if limit == 0 { // else it might take the slot before them
					require.NoError(t, q.QueueOn(round%cpus, after.work(func(ctx *cmwq.Context) { _ = ctx.Sleep(time.Hour) })))
				}
				require.EqualValues(t, 20, <-flushed, "all of before")
				require.Zero(t, after.done.Load(), "and nothing of later")
				require.NoError(t, q.Flush(bg))
			}
		}
	}, machine, noGauges(), cmwq.WithHogThreshold(0))
}

// Chains of items that hop from pod to pod while the queue drains: the drain ends
// after the last link, though a pod may have reported that it is empty before.
func TestDrainFollowsChainsFromPodToPod(t *testing.T) {
	machine, cpus := pods(t, fourPods)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		for round := range short.Rounds(20) {
			q := queue(t, sys, fmt.Sprint(round), cmwq.MaxActive(1+round%4))
			var ran atomic.Int32
			var link func(left int) *cmwq.Work
			link = func(left int) *cmwq.Work {
				return cmwq.NewWork(func(ctx *cmwq.Context) error {
					_ = ctx.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond)
					ran.Add(1)
					if left == 1 {
						return nil
					}
					return cmwq.CurrentQueue(ctx).QueueOn(rand.IntN(cpus), link(left-1))
				})
			}
			for range 3 {
				require.NoError(t, q.QueueOn(rand.IntN(cpus), link(8)))
			}
			require.NoError(t, q.Drain(bg))
			require.EqualValues(t, 24, ran.Load())
		}
	}, machine, noGauges(), cmwq.WithHogThreshold(0))
}

// An ordered queue is one line for the whole machine, whatever CPU is named.
func TestOrderedOverSeveralPods(t *testing.T) {
	machine, cpus := pods(t, fourPods)
	sys := start(t, machine)
	q := queue(t, sys, "ordered", cmwq.Ordered())
	var got []int // one item at a time: no lock
	for i := range 5000 {
		require.NoError(t, q.QueueOn(rand.IntN(cpus), cmwq.NewWork(func(*cmwq.Context) error {
			got = append(got, i)
			if i%100 == 0 {
				runtime.Gosched()
			}
			return nil
		})))
	}
	require.NoError(t, q.Flush(bg))
	require.Len(t, got, 5000)
	for i, v := range got {
		require.Equal(t, i, v)
	}
}

// TestStressPods mixes short items and sleepers on random pods of queues with
// small limits, and moves the limits meanwhile.
func TestStressPods(t *testing.T) {
	for _, text := range []string{twoPods, fourPods} {
		t.Run(text, func(t *testing.T) {
			machine, cpus := pods(t, text)
			sys := start(t, machine, silent())
			each := short.Rounds(1500)
			for _, most := range []int{1, 2, 7} {
				q := queue(t, sys, fmt.Sprint(most), cmwq.MaxActive(most))
				var m meter
				var wg sync.WaitGroup
				for p := range 4 {
					wg.Go(func() {
						for i := range each {
							w := m.work(func(ctx *cmwq.Context) {
								if i%50 == 0 {
									_ = ctx.Sleep(50 * time.Microsecond)
								}
							})
							if err := q.QueueOn(rand.IntN(cpus), w); err != nil {
								t.Error(err)
							}
							if p == 0 && i%100 == 0 {
								if err := q.SetMaxActive(1 + rand.IntN(most)); err != nil {
									t.Error(err)
								}
							}
						}
					})
				}
				wg.Wait()
				require.NoError(t, q.Flush(bg))
				require.EqualValues(t, 4*each, m.done.Load())
				require.LessOrEqual(t, int(m.most.Load()), most)
				require.NoError(t, q.Drain(bg))
			}
		})
	}
}

// A slot is asked back of who has some to spare, not of who wants more.
func TestOneBusyPodMayUseAllOfMaxActive(t *testing.T) {
	for _, text := range []string{twoPods, fourPods} {
		machine, _ := pods(t, text)
		bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
			q := queue(t, sys, "q", cmwq.MaxActive(16))
			var m meter
			for range 100 {
				require.NoError(t, q.QueueOn(0, m.work(func(ctx *cmwq.Context) { _ = ctx.Sleep(time.Millisecond) })))
			}
			require.NoError(t, q.Flush(bg))
			require.EqualValues(t, 16, m.most.Load())
		}, machine, noGauges())
	}
}
