package cmwq_test

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/topology"
)

// busy queues n items on a CPU that take a millisecond without a word, so that the
// pool counts them, and gives their meter.
func busy(t *testing.T, q *cmwq.Queue, cpu, n int) *meter {
	t.Helper()
	m := new(meter)
	for range n {
		require.NoError(t, q.QueueOn(cpu, m.work(func(*cmwq.Context) { time.Sleep(time.Millisecond) })))
	}
	return m
}

// Row 107.
func TestCPUGoesDownAndUp(t *testing.T) {
	bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.PerCPU())
		up := cpuset.New(0, 1, 2)
		m := busy(t, q, 3, 10)
		synctest.Wait()
		require.EqualValues(t, 1, m.in.Load(), "one at a time")
		require.NoError(t, sys.SetOnline(bg, up))
		synctest.Wait()
		require.EqualValues(t, 10, m.in.Load(), "what waits starts")
		later := busy(t, q, 3, 5)
		synctest.Wait()
		require.EqualValues(t, 5, later.in.Load(), "what comes later, too")

		require.NoError(t, sys.SetOnline(bg, cpuset.New(0, 1, 2, 3)))
		again := busy(t, q, 3, 3)
		synctest.Wait()
		require.EqualValues(t, 15, m.in.Load()+later.in.Load())
		require.EqualValues(t, 1, again.in.Load(), "managed again; those that run do not count")
		time.Sleep(1500 * time.Microsecond)
		synctest.Wait()
		require.EqualValues(t, 1, again.in.Load())
		require.NoError(t, q.Flush(bg))
		require.EqualValues(t, 1, again.most.Load())

		require.NoError(t, sys.SetOnline(bg, up))
		other := queue(t, sys, "made while it is down", cmwq.PerCPU(), cmwq.HighPri())
		m = busy(t, other, 3, 4)
		synctest.Wait()
		require.EqualValues(t, 4, m.in.Load())
		require.NoError(t, other.Flush(bg))
		for range 64 {
			w := cmwq.NewWork(func(ctx *cmwq.Context) error {
				if ctx.CPU() == 3 {
					t.Error("nobody named CPU 3, and it is down")
				}
				return nil
			})
			require.NoError(t, q.Queue(w))
		}
		require.NoError(t, q.Flush(bg))
		require.ErrorIs(t, sys.SetOnline(bg, cpuset.New()), topology.ErrNoCPU)
	}, noGauges(), cmwq.WithHogThreshold(0))
}

// Managed pools are as wide as CPUs of their pod are up, and pods without any are
// served by others.
func TestPodsLoseCPUs(t *testing.T) {
	machine, _ := pods(t, "llc:2 core:4")
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		width := func() int {
			m := busy(t, q, 0, 20)
			synctest.Wait()
			n := m.in.Load()
			require.NoError(t, q.Flush(bg))
			return int(n)
		}
		require.Equal(t, 4, width())
		require.NoError(t, sys.SetOnline(bg, cpuset.New(0, 5)))
		require.Equal(t, 1, width())
		require.NoError(t, sys.SetOnline(bg, cpuset.New(4, 5, 6)))
		require.Equal(t, 3, width(), "by the other pod's CPUs")
		require.NoError(t, sys.SetOnline(bg, cpuset.New(0, 1, 2, 3)))
		require.Equal(t, 4, width())
	}, machine, noGauges(), cmwq.WithHogThreshold(0))
}

// Row 28: parts of max_active follow CPUs that go down; with all of them down each
// node has its least.
func TestNodePartsFollowHotplug(t *testing.T) {
	machine, _ := pods(t, "numa:2 core:4")
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Unbound(), cmwq.Affinity(topology.ScopeCPU, false),
			cmwq.MaxActive(8), cmwq.MinActive(1), cmwq.CPUs(cpuset.New(0, 1, 2, 3, 4, 5)))
		require.Equal(t, 9, atOnce(t, sys, queue(t, sys, "all", cmwq.Unbound(), cmwq.Affinity(topology.ScopeNUMA, false),
			cmwq.MaxActive(9), cmwq.MinActive(1)))-1, "5 and 5: each is rounded up")
		node := func(cpu int) int32 {
			m := busy(t, q, cpu, 20)
			synctest.Wait()
			n := m.in.Load()
			require.NoError(t, q.Flush(bg))
			return n
		}
		require.EqualValues(t, 6, node(0), "4 of 6 CPUs")
		require.EqualValues(t, 3, node(4))
		require.NoError(t, sys.SetOnline(bg, cpuset.New(0, 4, 5, 7)))
		require.EqualValues(t, 3, node(0), "1 of 3")
		require.EqualValues(t, 6, node(4))
	}, machine, noGauges(), cmwq.WithHogThreshold(0))
}

// Row 108: blocking and waking race with CPUs that go down and up, and nothing is
// left in the count: afterwards each pool runs one at a time, and does run.
func TestStressBlockingWhileCPUsComeAndGo(t *testing.T) {
	topo, err := topology.Uniform(1, 2, 4, 1)
	require.NoError(t, err)
	// Without gauges: an item whose thread has to wait for a loaded machine is not taken for one that sleeps.
	sys := start(t, cmwq.WithTopology(topo), silent(), cmwq.WithHogThreshold(0), noGauges())
	queues := []*cmwq.Queue{queue(t, sys, "percpu", cmwq.PerCPU()), queue(t, sys, "managed"), queue(t, sys, "ordered", cmwq.Ordered())}
	var end atomic.Bool
	var sent, ran atomic.Int64
	var wg sync.WaitGroup
	for p := range 3 {
		wg.Go(func() {
			for i := 0; !end.Load(); i++ {
				sent.Add(1)
				err := queues[p].QueueOn(rand.IntN(8), cmwq.NewWork(func(ctx *cmwq.Context) error {
					switch rand.IntN(4) {
					case 0:
						ctx.Block(func() {})
					case 1:
						_ = ctx.Sleep(time.Microsecond)
					}
					ran.Add(1)
					return nil
				}))
				if err != nil {
					t.Error(err)
				}
				if i%128 == 0 {
					if err := queues[p].Flush(bg); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all := []int{0, 1, 2, 3, 4, 5, 6, 7}
	for range short.Rounds(300) {
		rand.Shuffle(8, func(i, j int) { all[i], all[j] = all[j], all[i] })
		require.NoError(t, sys.SetOnline(bg, cpuset.New(all[:1+rand.IntN(8)]...)))
	}
	require.NoError(t, sys.SetOnline(bg, topo.CPUs()))
	end.Store(true)
	wg.Wait()
	for _, q := range queues {
		require.NoError(t, q.Flush(bg))
	}
	require.Equal(t, sent.Load(), ran.Load())
	for cpu := range 8 {
		var m meter
		for range 50 {
			require.NoError(t, queues[0].QueueOn(cpu, m.work(func(*cmwq.Context) {})))
		}
		require.NoError(t, queues[0].Flush(bg))
		require.EqualValues(t, 1, m.most.Load(), "CPU %d: one at a time", cpu)
	}
}

// The CPUs that a system found follow the real GOMAXPROCS.
func TestDetectedCPUsFollowGOMAXPROCS(t *testing.T) {
	if runtime.NumCPU() < 2 {
		t.Skip("there is one CPU")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	found := func(o *actors.Options) error { o.Topology = nil; return nil }
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		width := func() (n int) {
			time.Sleep(2 * time.Second) // it is looked at once a second
			require.NoError(t, q.Go(anotherItem))
			synctest.Wait()
			snap, err := sys.Snapshot(t.Context())
			require.NoError(t, err)
			for _, p := range snap.Pools {
				if p.Kind == "managed" {
					n += p.Width
				}
			}
			return n
		}
		require.Equal(t, 2, width())
		runtime.GOMAXPROCS(1)
		require.Equal(t, 1, width())
		runtime.GOMAXPROCS(2)
		require.Equal(t, 2, width())
	}, found)
}
