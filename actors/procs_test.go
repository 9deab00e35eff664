package actors

import (
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// resized is a source that says how many threads may run, all of which do.
type resized struct {
	Source
	procs atomic.Int64
	reads atomic.Int64
}

func (r *resized) Gauges() policy.Gauges {
	r.reads.Add(1)
	n := int(r.procs.Load())
	return policy.Gauges{Running: n, Runnable: n, Procs: n, Valid: true}
}

// CPUs go down and up with GOMAXPROCS, if nobody said which there are: where work is
// short, and where items wait behind others that hold every worker up.
func TestCPUsFollowGOMAXPROCS(t *testing.T) {
	rounds := map[string]func(t *testing.T, q *Queue){
		"short": func(t *testing.T, q *Queue) {
			require.NoError(t, q.Go(func(*messages.Context) error { return nil }, false))
			synctest.Wait()
		},
		"held up": func(t *testing.T, q *Queue) {
			open := make(chan struct{})
			for range 64 { // more than there are CPUs
				require.NoError(t, q.Go(func(*messages.Context) error { <-open; return nil }, false))
			}
			time.Sleep(2 * policy.TickPeriod)
			synctest.Wait()
			defer func() { close(open); require.NoError(t, q.Flush(t.Context())) }()
		},
	}
	for name, round := range rounds {
		for from, detected := range map[string]bool{"detected": true, "given": false} {
			t.Run(name+"/"+from, func(t *testing.T) {
				src := &resized{Source: PortableSource()}
				src.procs.Store(4)
				bubble(t, 4, func(o *Options) {
					fourPods(o)
					o.Source, o.detected = src, detected
				}, func(t *testing.T, sys *System) {
					q := newTestQueue(t, sys, "q", QueueOptions{})
					all := podsOf(q)
					for _, n := range []int{4, 2, 1, 3, 8, 4} {
						time.Sleep(2 * procsPeriod)
						src.procs.Store(int64(n))
						round(t, q)
						up := 4
						if detected {
							up = min(n, 4)
						}
						pods := podsOf(q)
						require.Equal(t, up == 4, slices.Equal(pods, all), "GOMAXPROCS %d: who serves the queue", n)
						require.NoError(t, sys.SetOnline(t.Context(), cpuset.New(sys.cpus[:up]...)))
						require.Equal(t, podsOf(q), pods, "GOMAXPROCS %d: these were up already", n)
					}
				})
			})
		}
	}
}

// It is looked at once a period, and not at all while nothing happens.
func TestGOMAXPROCSIsLookedAtNowAndThen(t *testing.T) {
	src := &resized{Source: PortableSource()}
	src.procs.Store(4)
	bubble(t, 4, func(o *Options) { o.Source, o.detected = src, true }, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		time.Sleep(100 * procsPeriod)
		require.Zero(t, src.reads.Load())
		for range 1000 {
			require.NoError(t, q.Go(func(*messages.Context) error { return nil }, false))
			synctest.Wait()
		}
		require.EqualValues(t, 1, src.reads.Load())
	})
}

// podsOf are the CPUs of the pools that serve a queue.
func podsOf(q *Queue) (pods []string) {
	for _, s := range q.table.Load().shares {
		pods = append(pods, s.pool.key.pod)
	}
	slices.Sort(pods)
	return pods
}
