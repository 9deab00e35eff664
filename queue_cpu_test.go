package cmwq_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// placed runs an item that put queues, and gives where it ran: its CPU and the name
// of its pool.
func placed(t *testing.T, put func(*cmwq.Work) error) (cpu int, pool string) {
	t.Helper()
	w := cmwq.NewWork(func(ctx *cmwq.Context) error {
		cpu = ctx.CPU()
		pool, _, _ = strings.Cut(ctx.Worker(), ":")
		return nil
	})
	require.NoError(t, put(w))
	require.NoError(t, w.Flush(bg))
	return cpu, pool
}

// Row 9, as far as Go lets it: an item without a CPU goes to one CPU's pool, and
// runs on that CPU. That it is the caller's own is a hint: see
// TestQueueNodePrefersTheCallersCPU.
func TestQueueWithoutACPUOnAPerCPUQueue(t *testing.T) {
	machine, cpus := pods(t, twoPods)
	sys := start(t, machine)
	q := queue(t, sys, "q", cmwq.PerCPU())
	for range 50 {
		cpu, pool := placed(t, q.Queue)
		require.Equal(t, fmt.Sprint("kworker/", cpu), pool)
		require.True(t, cpu >= 0 && cpu < cpus)
	}
}

// Row 10.
func TestQueueOnRunsOnThatCPUOrInItsPod(t *testing.T) {
	machine, cpus := pods(t, fourPods)
	topo, err := topology.Parse(fourPods)
	require.NoError(t, err)
	sys := start(t, machine)
	bound, unbound, managed := queue(t, sys, "bound", cmwq.PerCPU()), queue(t, sys, "unbound", cmwq.Unbound()), queue(t, sys, "managed")
	for _, q := range []*cmwq.Queue{unbound, managed} {
		pool := map[int]string{}
		for cpu := range cpus {
			_, name := placed(t, func(w *cmwq.Work) error { return q.QueueOn(cpu, w) })
			_, late := placed(t, func(w *cmwq.Work) error { return q.QueueAfterOn(cpu, time.Hour, w) })
			require.Equal(t, name, late, "armed for a CPU: there, too")
			pod := topo.PodOf(topology.ScopeDefault, cpu)
			if pool[pod] == "" {
				pool[pod] = name
			}
			require.Equal(t, pool[pod], name, "CPUs of a pod share a pool")
		}
		require.Len(t, pool, 4)
		seen := map[string]bool{}
		for _, name := range pool {
			seen[name] = true
		}
		require.Len(t, seen, 4, "and pods do not")
	}
	for cpu := range cpus {
		got, _ := placed(t, func(w *cmwq.Work) error { return bound.QueueOn(cpu, w) })
		require.Equal(t, cpu, got)
		got, _ = placed(t, func(w *cmwq.Work) error { return bound.QueueAfterOn(cpu, time.Hour, w) })
		require.Equal(t, cpu, got)
		got, _ = placed(t, func(w *cmwq.Work) error { return bound.QueueAfterOn(cpu, 0, w) })
		require.Equal(t, cpu, got, "without a delay: at once, there")
	}
}

func TestModifyOnMovesToAnotherCPU(t *testing.T) {
	bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.PerCPU())
		at := since()
		ran, where := -1, -1
		w := cmwq.NewWork(func(ctx *cmwq.Context) error { ran, where = at(), ctx.CPU(); return nil })
		modify := func(cpu, ms int) bool {
			was, err := q.ModifyOn(cpu, time.Duration(ms)*time.Millisecond, w)
			require.NoError(t, err)
			return was
		}
		require.NoError(t, q.QueueAfterOn(3, time.Second, w))
		require.True(t, modify(1, 20), "armed: earlier, and elsewhere")
		require.True(t, modify(2, 10))
		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, []int{10, 2}, []int{ran, where})
		require.False(t, modify(3, 0), "idle, no delay: at once")
		require.NoError(t, w.Flush(bg))
		require.Equal(t, []int{1000, 3}, []int{ran, where})

		require.NoError(t, q.QueueAfterOn(1, time.Hour, w))
		for _, cpu := range []int{-1, 4, 1<<16 - 1} {
			_, err := q.ModifyOn(cpu, 0, w)
			require.ErrorIs(t, err, cmwq.ErrCPU)
			require.ErrorIs(t, q.QueueAfterOn(cpu, 1, cmwq.NewWork(w.Func)), cmwq.ErrCPU)
		}
		require.True(t, w.Pending(), "a wrong CPU leaves it as it was")
		require.NoError(t, w.Flush(bg))
		require.Equal(t, 1, where)
	})
}

// Row 13.
func TestQueueNode(t *testing.T) {
	const text = "numa:2 core:4"
	topo, err := topology.Parse(text)
	require.NoError(t, err)
	var log logbook
	machine, _ := pods(t, text)
	sys := start(t, machine, log.option())
	q, bound := queue(t, sys, "managed"), queue(t, sys, "bound", cmwq.PerCPU())
	nodeOf := map[string]int{}
	for cpu := range topo.NumCPU() {
		_, pool := placed(t, func(w *cmwq.Work) error { return q.QueueOn(cpu, w) })
		nodeOf[pool] = topo.Node(cpu)
	}
	require.Len(t, nodeOf, 2)
	for i := range 40 {
		_, pool := placed(t, func(w *cmwq.Work) error { return q.QueueNode(i%2, w) })
		require.Equal(t, i%2, nodeOf[pool], "a pool of the node")
	}
	for _, none := range []int{-1, 2, 1 << 20} {
		_, pool := placed(t, func(w *cmwq.Work) error { return q.QueueNode(none, w) })
		require.Contains(t, nodeOf, pool, "a node without CPUs: anywhere")
	}
	require.Zero(t, log.lines("QueueNode"))

	for i := range 40 {
		cpu, _ := placed(t, func(w *cmwq.Work) error { return bound.QueueNode(i%2, w) })
		require.Equal(t, i%2, topo.Node(cpu))
	}
	require.Equal(t, 1, log.lines("QueueNode"), "a per-CPU queue warns, once")
}

// With one CPU for all goroutines the hint of where the caller runs is always the
// same: its node gets the item there, other nodes on their first CPU.
func TestQueueNodePrefersTheCallersCPU(t *testing.T) {
	if raceEnabled {
		t.Skip("the hint wanders")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const text = "numa:3 core:2"
	topo, err := topology.Parse(text)
	require.NoError(t, err)
	machine, _ := pods(t, text)
	sys := start(t, machine, silent())
	q := queue(t, sys, "q", cmwq.PerCPU())
	local, _ := placed(t, q.Queue)
	for i := range 30 {
		node := i % 3
		want := 2 * node
		if node == topo.Node(local) {
			want = local
		}
		cpu, _ := placed(t, func(w *cmwq.Work) error { return q.QueueNode(node, w) })
		require.Equal(t, want, cpu)
		again, _ := placed(t, q.Queue)
		require.Equal(t, local, again, "and an item without a node goes there, too")
	}
}

// Row 30: at each moment the answer is that of the CPU's own share.
func TestCongestedWhileItemsAreInactive(t *testing.T) {
	for name, kind := range map[string]cmwq.QueueOption{"percpu": cmwq.PerCPU(), "managed": cmwq.MaxActive(0), "unbound": cmwq.Unbound()} {
		t.Run(name, func(t *testing.T) {
			machine, _ := pods(t, twoPods)
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind, cmwq.MaxActive(2))
				congested := func(want bool, why string) {
					t.Helper()
					time.Sleep(time.Millisecond) // the gates are known to block: none rides in another's lease
					synctest.Wait()
					require.Equal(t, want, q.Congested(0), why)
				}
				item := func() *gate {
					g := newGate()
					require.NoError(t, q.QueueOn(0, g.Work))
					return g
				}
				congested(false, "nothing queued")
				a, b := item(), item()
				congested(false, "all slots are in use, nobody waits")
				c := item()
				congested(true, "one waits")
				require.False(t, q.Congested(3), "on its CPU, not on others")
				require.True(t, c.Cancel())
				congested(false, "it was cancelled")
				c, d := item(), item()
				a.open <- struct{}{}
				congested(true, "a slot is free, one of two waits still")
				b.open <- struct{}{}
				congested(false, "both run")
				e := item()
				congested(true, "one waits")
				require.NoError(t, q.SetMaxActive(8))
				congested(false, "a raised limit lets it run")
				require.NoError(t, q.SetMaxActive(1))
				congested(false, "a lowered one stops none")
				f := item()
				congested(true, "and lets none start")
				for _, g := range []*gate{c, d, e, f} {
					g.open <- struct{}{}
				}
				require.NoError(t, q.Flush(bg))
				congested(false, "all done")
			}, machine, noGauges())
		})
	}
}

// A lease takes items out of those that wait, and brings some back.
func TestCongestedWithShortItems(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(1))
		teach(t, q)
		for round := range 20 {
			g, last := newGate(), newGate()
			items := []*cmwq.Work{}
			for range round {
				items = append(items, cmwq.NewWork(func(*cmwq.Context) error { return nil }))
			}
			tail := newGate()
			require.NoError(t, q.Queue(g.Work))
			<-g.entered
			for _, w := range append(items, last.Work, tail.Work) {
				require.NoError(t, q.Queue(w))
			}
			synctest.Wait()
			require.True(t, q.Congested(0))
			g.open <- struct{}{}
			<-last.entered
			time.Sleep(10 * time.Millisecond) // it blocks, and a tick has seen it
			synctest.Wait()
			require.True(t, q.Congested(0), "the last of them waits for the one that blocks")
			last.open <- struct{}{}
			<-tail.entered
			synctest.Wait()
			require.False(t, q.Congested(0))
			tail.open <- struct{}{}
			require.NoError(t, q.Flush(bg))
		}
	})
}

func TestCongestedOnNoCPU(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "q")
	require.False(t, q.Congested(-1))
	require.False(t, q.Congested(1<<20))
}
