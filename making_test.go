package cmwq_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/topology"
)

// R20: a change of the machine's CPUs that comes in the middle of a queue's making, or
// of a change of its attributes, reaches the queue: afterwards it is served as one that
// is made then.
func TestAChangeMeanwhileReachesAQueueThatIsBeingMade(t *testing.T) {
	changes := map[string]func(*cmwq.System) error{
		"unbound mask": func(sys *cmwq.System) error { return sys.SetUnboundMask(bg, cpuset.New(2, 3)) },
		"online":       func(sys *cmwq.System) error { return sys.SetOnline(bg, cpuset.New(0, 5, 6)) },
		"scope":        func(sys *cmwq.System) error { return sys.SetDefaultScope(bg, topology.ScopeCPU) },
	}
	for name, change := range changes {
		for _, at := range []string{"queue", "pool", "rescuer"} {
			t.Run(name+"/"+at, func(t *testing.T) {
				var sys *cmwq.System
				var armed atomic.Bool
				changed := make(chan error, 1)
				machine, cpus := pods(t, fourPods)
				meanwhile := func(o *actors.Options) error {
					o.CreateFault = func(what, _ string) error {
						if what == at && armed.Swap(false) {
							go func() { changed <- change(sys) }()
							time.Sleep(time.Millisecond) // until it waits for the system's actor
						}
						return nil
					}
					return nil
				}
				bubble(t, 1, func(t *testing.T, s *cmwq.System) {
					sys = s
					armed.Store(true)
					opts := []cmwq.QueueOption{cmwq.Unbound(), cmwq.MemReclaim(), cmwq.Nice(3)}
					q := queue(t, sys, "q", opts...)
					require.NoError(t, <-changed)
					synctest.Wait()
					later := queue(t, sys, "later", opts...)
					require.Equal(t, poolsOf(t, later, cpus), poolsOf(t, q, cpus))
					if at != "pool" {
						return // nothing else is made for new attributes
					}
					armed.Store(true)
					require.NoError(t, q.SetAttrs(bg, cmwq.Nice(4), cmwq.CPUs(cpuset.New(0, 1, 2, 3, 4))))
					require.NoError(t, <-changed)
					require.NoError(t, later.SetAttrs(bg, cmwq.Nice(4), cmwq.CPUs(cpuset.New(0, 1, 2, 3, 4))))
					require.Equal(t, poolsOf(t, later, cpus), poolsOf(t, q, cpus))
				}, machine, meanwhile)
			})
		}
	}
}

// Row 12: who forces round robin is told that it is slow, once a system; else nothing
// is said.
func TestRoundRobinWarns(t *testing.T) {
	const slow = "items whose queuer names no CPU go to another CPU each time, which is slow"
	for _, forced := range []bool{false, true} {
		var log records
		opts := []cmwq.Option{cmwq.WithLogger(log.logger())}
		if forced {
			opts = append(opts, cmwq.WithRoundRobin())
		}
		sys := start(t, opts...)
		for _, name := range []string{"a", "b"} {
			require.NoError(t, queue(t, sys, name).Flush(bg))
		}
		found := log.find(slow)
		require.Len(t, found, map[bool]int{true: 1}[forced])
		for _, x := range found {
			require.Equal(t, "WARN", x["level"])
		}
	}
}
