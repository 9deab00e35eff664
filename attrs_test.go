package cmwq_test

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/topology"
)

// poolOf gives the pool that runs an item queued on the CPU, -1 for any.
func poolOf(t *testing.T, q *cmwq.Queue, cpu int) string {
	t.Helper()
	name := make(chan string, 1)
	w := cmwq.NewWork(func(ctx *cmwq.Context) error {
		name <- strings.TrimPrefix(strings.Split(ctx.Worker(), ":")[0], "kworker/")
		return nil
	})
	if cpu < 0 {
		require.NoError(t, q.Queue(w))
	} else {
		require.NoError(t, q.QueueOn(cpu, w))
	}
	return <-name
}

// poolsOf gives the pools of n CPUs.
func poolsOf(t *testing.T, q *cmwq.Queue, n int) (names []string) {
	t.Helper()
	for cpu := range n {
		names = append(names, poolOf(t, q, cpu))
	}
	return names
}

// Row 101: equal attributes share pools, other ones do not.
func TestQueuesWithEqualAttributesSharePools(t *testing.T) {
	machine, cpus := pods(t, fourPods)
	sys := start(t, machine)
	queues := 0
	pools := func(opts ...cmwq.QueueOption) []string {
		queues++
		return poolsOf(t, queue(t, sys, string(rune('a'+queues)), opts...), cpus)
	}
	plain := pools()
	require.Equal(t, plain, pools(cmwq.Nice(0), cmwq.Affinity(topology.ScopeDefault, false)))
	require.Equal(t, plain, pools(cmwq.Affinity(topology.ScopeCache, false)), "a pod is its CPUs, whatever the scope's name")
	for name, opts := range map[string][]cmwq.QueueOption{
		"kind":   {cmwq.Unbound()},
		"nice":   {cmwq.Nice(5)},
		"high":   {cmwq.HighPri()},
		"scope":  {cmwq.Affinity(topology.ScopeNUMA, false)},
		"strict": {cmwq.Affinity(topology.ScopeCache, true)},
		"cpus":   {cmwq.CPUs(cpuset.New(0, 1, 2, 3))}, // may visit fewer
	} {
		got := pools(opts...)
		for _, p := range plain {
			require.NotContains(t, got, p, name)
		}
		require.Equal(t, got, pools(opts...), name)
	}
	strict := pools(cmwq.Affinity(topology.ScopeCache, true), cmwq.CPUs(cpuset.New(0, 1)))
	all := pools(cmwq.Affinity(topology.ScopeCache, true))
	require.Equal(t, all[:2], strict[:2], "of a strict queue the pod is all that counts")
}

func TestCPUsOfAQueue(t *testing.T) {
	machine, cpus := pods(t, fourPods)
	sys := start(t, machine)
	for _, kind := range []cmwq.QueueOption{cmwq.MaxActive(0), cmwq.Unbound(), cmwq.Ordered()} {
		q := queue(t, sys, "q", kind, cmwq.CPUs(cpuset.New(2, 3)))
		two := poolOf(t, q, 2)
		for cpu := range cpus {
			require.Equal(t, two, poolOf(t, q, cpu), "only these serve it, whatever CPU is named")
		}
		require.NoError(t, q.Destroy(bg))
	}
	q := queue(t, sys, "q", cmwq.CPUs(cpuset.New(0, 2, 4)))
	before := poolsOf(t, q, cpus)
	require.NoError(t, sys.SetUnboundMask(bg, cpuset.New(6, 7, 99)))
	names := poolsOf(t, q, cpus)
	require.NotContains(t, before, names[0], "row 103: a disjoint mask falls back to the system's")
	for _, name := range names {
		require.Equal(t, names[0], name)
	}
	require.NoError(t, sys.SetUnboundMask(bg, cpuset.New(2, 3, 4)))
	names = poolsOf(t, q, cpus)
	require.NotEqual(t, names[2], names[4])
	require.Equal(t, names[0], names[6])
	require.Equal(t, "0,2,4", q.Attrs().CPUs.String(), "the user's mask is remembered")
	require.ErrorIs(t, sys.SetUnboundMask(bg, cpuset.New()), topology.ErrNoCPU)
	require.ErrorIs(t, sys.SetUnboundMask(bg, cpuset.New(99)), topology.ErrNoCPU)
	require.Equal(t, names, poolsOf(t, q, cpus), "nothing changed")
}

// Row 11: who queues from a CPU that the queue may not use has its items go round
// the CPUs that it may; row 12: everybody's do.
func TestRoundRobin(t *testing.T) {
	one := cmwq.Affinity(topology.ScopeCPU, false)
	used := func(q *cmwq.Queue) map[string]int {
		names := map[string]int{}
		for range 64 {
			names[poolOf(t, q, -1)]++
		}
		return names
	}
	machine, _ := pods(t, fourPods)
	forced := queue(t, start(t, machine, silent(), cmwq.WithRoundRobin()), "q", one)
	was := ""
	for range 20 {
		now := poolOf(t, forced, -1)
		require.NotEqual(t, was, now)
		was = now
	}
	sys := start(t, machine)
	q := queue(t, sys, "q", one)
	outside := cpuset.New(5, 6) // hints of this process start at CPU 0
	require.NoError(t, q.SetAttrs(bg, cmwq.CPUs(outside)))
	for name := range used(q) {
		require.Contains(t, []string{poolOf(t, q, 5), poolOf(t, q, 6)}, name)
	}
}

// Row 106.
func TestDefaultScopeReachesWhoDidNotChoose(t *testing.T) {
	machine, cpus := pods(t, fourPods)
	sys := start(t, machine)
	follows := queue(t, sys, "follows")
	chose := queue(t, sys, "chose", cmwq.Affinity(topology.ScopeCacheShard, false))
	was := poolsOf(t, chose, cpus)
	require.Equal(t, was, poolsOf(t, follows, cpus))
	require.NoError(t, sys.SetDefaultScope(bg, topology.ScopeSystem))
	require.Equal(t, was, poolsOf(t, chose, cpus))
	names := poolsOf(t, follows, cpus)
	for _, name := range names {
		require.Equal(t, names[0], name)
	}
	require.Equal(t, names, poolsOf(t, queue(t, sys, "later"), cpus))
	require.NoError(t, chose.SetAttrs(bg, cmwq.Affinity(topology.ScopeDefault, false)))
	require.Equal(t, names, poolsOf(t, chose, cpus))
	require.ErrorIs(t, sys.SetDefaultScope(bg, topology.ScopeDefault), cmwq.ErrOption)
	require.ErrorIs(t, sys.SetDefaultScope(bg, topology.Scope(99)), cmwq.ErrOption)
}

func TestAttributesThatMakeNoSense(t *testing.T) {
	sys := start(t)
	for _, opts := range [][]cmwq.QueueOption{
		{cmwq.Nice(20)}, {cmwq.Nice(-21)}, {cmwq.Affinity(topology.Scope(99), false)},
		{cmwq.Unbound(), cmwq.PowerEfficient()},
	} {
		_, err := sys.NewQueue("q", opts...)
		require.ErrorIs(t, err, cmwq.ErrOption)
	}
	_, err := sys.NewQueue("q", cmwq.PerCPU(), cmwq.Nice(1))
	require.ErrorIs(t, err, cmwq.ErrPerCPU)
	require.Nil(t, sys.Queue("q"), "a failed queue leaves nothing behind")
	require.ErrorIs(t, queue(t, sys, "percpu", cmwq.PerCPU()).SetAttrs(bg, cmwq.Nice(1)), cmwq.ErrPerCPU)
	q := queue(t, sys, "q", cmwq.Nice(3))
	require.ErrorIs(t, q.SetAttrs(bg, cmwq.Nice(99)), cmwq.ErrOption)
	require.ErrorIs(t, q.SetAttrs(bg, cmwq.Nice(4), cmwq.MaxActive(3)), cmwq.ErrOption)
	require.Equal(t, 3, q.Attrs().Nice, "all or nothing")
	require.NoError(t, q.SetAttrs(bg, cmwq.Affinity(topology.ScopeNUMA, true)))
	require.Equal(t, cmwq.Attrs{Nice: 3, Scope: topology.ScopeNUMA, Strict: true}, q.Attrs(), "what is not given stays")
	require.NoError(t, q.Destroy(bg))
	require.ErrorIs(t, q.SetAttrs(bg, cmwq.Nice(1)), cmwq.ErrDestroyed)
}

func TestPowerEfficient(t *testing.T) {
	machine, cpus := pods(t, fourPods)
	for on, want := range map[bool]int{false: cpus, true: 4} {
		names := map[string]bool{}
		for _, p := range poolsOf(t, queue(t, start(t, machine, cmwq.WithPowerEfficient(on)), "q", cmwq.PowerEfficient()), cpus) {
			names[p] = true
		}
		require.Len(t, names, want)
	}
}

// Rows 17 and 99, by way of the attributes and the mask: 1000 changes under load,
// and every queue does what it promises.
func TestStressAttributes(t *testing.T) {
	machine, cpus := pods(t, fourPods)
	for name, kind := range map[string]cmwq.QueueOption{"managed": cmwq.MaxActive(7), "unbound": cmwq.Unbound(), "ordered": cmwq.Ordered()} {
		t.Run(name, func(t *testing.T) {
			sys := start(t, machine, silent())
			q := queue(t, sys, "q", kind)
			var end atomic.Bool
			var ran, inside atomic.Int64
			var sent [3]int
			var producers sync.WaitGroup
			var next [3]int // of the ordered queue, which runs one item at a time
			for p := range sent {
				producers.Go(func() {
					for !end.Load() {
						i := sent[p]
						sent[p]++
						err := q.QueueOn(rand.IntN(cpus), cmwq.NewWork(func(*cmwq.Context) error {
							if n := inside.Add(1); name == "managed" && n > 7 || name == "ordered" && n > 1 {
								t.Errorf("%d at once", n)
							}
							if name == "ordered" {
								if next[p] != i {
									t.Errorf("%d before %d", i, next[p])
								}
								next[p]++
							}
							ran.Add(1)
							inside.Add(-1)
							return nil
						}))
						if err != nil {
							t.Error(err)
						}
						if i%64 == 0 {
							if err := q.Flush(bg); err != nil {
								t.Error(err)
							}
						}
					}
				})
			}
			changes := short.Rounds(1000)
			if name != "ordered" {
				changes = short.Rounds(200)
			}
			for i := range changes {
				some := cpuset.New(rand.IntN(cpus), rand.IntN(cpus))
				switch i % 4 {
				case 0:
					require.NoError(t, sys.SetUnboundMask(bg, some))
				case 1:
					require.NoError(t, q.SetAttrs(bg, cmwq.CPUs(some)))
				case 2:
					require.NoError(t, q.SetAttrs(bg, cmwq.Affinity(topology.Scope(rand.IntN(7)), i%8 < 4), cmwq.Nice(i%3)))
				case 3:
					require.NoError(t, sys.SetDefaultScope(bg, topology.Scope(1+rand.IntN(6))))
				}
				runtime.Gosched()
			}
			end.Store(true)
			producers.Wait()
			require.NoError(t, q.Drain(bg))
			require.EqualValues(t, sent[0]+sent[1]+sent[2], ran.Load())
			if name == "ordered" {
				require.Equal(t, sent, next)
			}
			require.NoError(t, q.Queue(cmwq.NewWork(func(*cmwq.Context) error { return nil })), "no stall afterwards")
			require.NoError(t, q.Flush(bg))
		})
	}
}

// Pools that nobody uses end, with their workers.
func TestUnusedPoolsEnd(t *testing.T) {
	machine, _ := pods(t, twoPods)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		count := func() int {
			time.Sleep(time.Second)
			return runtime.NumGoroutine()
		}
		require.NoError(t, q.SetAttrs(bg, cmwq.Nice(1)))
		before := count()
		for i := range short.AtLeast(60, 200) {
			require.NoError(t, q.SetAttrs(bg, cmwq.Nice(i%40-20)))
			require.NoError(t, q.Go(func(*cmwq.Context) error { return nil }))
			other := queue(t, sys, "other", cmwq.Nice(i%40-20), cmwq.Unbound())
			require.NoError(t, other.Go(func(*cmwq.Context) error { return nil }))
			require.NoError(t, other.Destroy(bg))
		}
		require.NoError(t, q.Flush(bg))
		require.Less(t, count()-before, 100, "goroutines of 400 pools that ended stay") // the dispatcher keeps some
	}, machine)
}
