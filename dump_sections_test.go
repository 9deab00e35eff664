package cmwq_test

import (
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// onFour runs f in virtual time with two caches of two CPUs.
func onFour(t *testing.T, f func(t *testing.T, sys *cmwq.System)) {
	topo, err := topology.Uniform(2, 1, 2, 1)
	require.NoError(t, err)
	bubble(t, 4, f, cmwq.WithTopology(topo), cmwq.WithHogThreshold(0), noGauges())
}

// Kernel: wq_dump.
func TestSections(t *testing.T) {
	onFour(t, func(t *testing.T, sys *cmwq.System) {
		queue(t, sys, "managed")
		queue(t, sys, "cpu", cmwq.PerCPU(), cmwq.MemReclaim())
		strict := queue(t, sys, "strict", cmwq.Unbound(), cmwq.Affinity(topology.ScopeNUMA, true), cmwq.MinActive(2), cmwq.MaxActive(8))
		queue(t, sys, "in\norder", cmwq.Ordered())
		hold, entered, open := latch()
		require.NoError(t, strict.QueueOn(3, hold))
		<-entered
		synctest.Wait()
		var b strings.Builder
		require.NoError(t, sys.WriteSections(bg, &b))
		open <- struct{}{}
		names := map[string]string{}
		text := regexp.MustCompile(`\bu\d+\b`).ReplaceAllStringFunc(b.String(), func(s string) string {
			if names[s] == "" {
				names[s] = string(rune('A' + len(names)))
			}
			return names[s]
		})
		text = regexp.MustCompile(` +`).ReplaceAllString(text, " ")
		require.Equal(t, `Affinity scopes
===============
unbound_cpus=0-3 online_cpus=0-3

cpu
 nr_pods 4
 pod_cpus [0]=0 [1]=1 [2]=2 [3]=3
 pod_node [0]=0 [1]=0 [2]=1 [3]=1
 cpu_pod [0]=0 [1]=1 [2]=2 [3]=3

smt
 nr_pods 4
 pod_cpus [0]=0 [1]=1 [2]=2 [3]=3
 pod_node [0]=0 [1]=0 [2]=1 [3]=1
 cpu_pod [0]=0 [1]=1 [2]=2 [3]=3

cache
 nr_pods 2
 pod_cpus [0]=0-1 [1]=2-3
 pod_node [0]=0 [1]=1
 cpu_pod [0]=0 [1]=0 [2]=1 [3]=1

cache_shard (default)
 nr_pods 2
 pod_cpus [0]=0-1 [1]=2-3
 pod_node [0]=0 [1]=1
 cpu_pod [0]=0 [1]=0 [2]=1 [3]=1

numa
 nr_pods 2
 pod_cpus [0]=0-1 [1]=2-3
 pod_node [0]=0 [1]=1
 cpu_pod [0]=0 [1]=0 [2]=1 [3]=1

system
 nr_pods 1
 pod_cpus [0]=0-3
 pod_node [0]=-1
 cpu_pod [0]=0 [1]=0 [2]=0 [3]=0

Worker pools
============
pool A ref= 1 nice= 0 idle/workers= 1/ 1 managed cpus=0-3 pod_cpus=0-1
pool B ref= 1 nice= 0 idle/workers= 1/ 1 managed cpus=0-3 pod_cpus=2-3
pool 0 ref= 1 nice= 0 idle/workers= 1/ 1 percpu cpu=0
pool 1 ref= 1 nice= 0 idle/workers= 1/ 1 percpu cpu=1
pool 2 ref= 1 nice= 0 idle/workers= 1/ 1 percpu cpu=2
pool 3 ref= 1 nice= 0 idle/workers= 1/ 1 percpu cpu=3
pool C ref= 1 nice= 0 idle/workers= 1/ 1 unbound cpus=0-1 pod_cpus=0-1 strict
pool D ref= 1 nice= 0 idle/workers= 1/ 2 unbound cpus=2-3 pod_cpus=2-3 strict
pool E ref= 1 nice= 0 idle/workers= 1/ 1 unbound cpus=0-3 pod_cpus=0-3

Queue CPU -> pool
=================
cpu percpu 0 1 2 3
"in\norder" ordered E (all)
managed managed A A B B
strict unbound,S C C D D

Rescuers
========
unbound_cpus=0-3
cpu kworker/R-cpu cpus=0-3

Limits of queues that are not per-CPU
=====================================
 min_active max_active nr/max
"in\norder" 0 1 all: 0/1
managed 0 1024 all: 0/1024
strict 2 8 node 0: 0/4 node 1: 1/4
`, text)
	})
}

// The columns of wq_monitor, and where it has none to show.
func TestMonitorTable(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		cpu := queue(t, sys, "cpu", cmwq.PerCPU(), cmwq.MemReclaim())
		un := queue(t, sys, "unbound", cmwq.Unbound())
		require.NoError(t, cpu.Go(func(*cmwq.Context) error { time.Sleep(300 * time.Millisecond); return cmwq.ErrCPU }))
		require.NoError(t, cpu.QueueAfter(time.Hour, cmwq.NewWork(anotherItem)))
		require.NoError(t, cpu.Flush(bg))
		require.NoError(t, un.Go(anotherItem))
		require.NoError(t, un.Flush(bg))
		var b strings.Builder
		require.NoError(t, sys.WriteMonitor(bg, &b))
		head := "                              total    infl   CPUtime  CPUhog CMW/RPR  mayday rescued" +
			" delayed  failed retried    dead  cancel  wait50  wait99   run50   run99\n"
		require.Equal(t, head+
			"cpu                               1       0       0.3       0       0       0       0"+
			"       1       1       0       0       0       -       -       -       -\n"+
			"unbound                           1       0       0.0       -       0       -       -"+
			"       0       0       0       0       0       -       -       -       -\n", b.String())
		b.Reset()
		before, err := sys.Snapshot(bg)
		require.NoError(t, err)
		require.NoError(t, cpu.Go(anotherItem))
		require.NoError(t, cpu.Flush(bg))
		now, err := sys.Snapshot(bg)
		require.NoError(t, err)
		require.NoError(t, now.WriteMonitor(&b, before, regexp.MustCompile("^c")))
		require.Equal(t, head+
			"cpu                               1       0       0.0       0       0       0       0"+
			"       1       0       0       0       0       -       -       -       -\n", b.String())
	}, cmwq.WithHogThreshold(0), noGauges())
}
