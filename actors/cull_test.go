package actors

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

func workers(t *testing.T, q *Queue) (all, idle int) {
	t.Helper()
	st, err := q.Stats(t.Context())
	require.NoError(t, err)
	return st.Workers, st.Idle
}

// A burst of sleepers makes a worker each. They go after 300 s of idleness, the
// oldest first, down to two; not before, and what they leave is used again.
func TestIdleWorkersAreCulledAndNotBefore(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		burst := func() {
			for range 60 {
				require.NoError(t, q.Go(func(ctx *messages.Context) error { return ctx.Sleep(time.Second) }, false))
			}
			require.NoError(t, q.Flush(t.Context()))
		}
		burst()
		all, idle := workers(t, q)
		require.GreaterOrEqual(t, all, 60)
		require.Equal(t, all, idle)
		time.Sleep(policy.IdleTimeout - 2*time.Second)
		synctest.Wait()
		now, _ := workers(t, q)
		require.Equal(t, all, now, "not one before its time")
		time.Sleep(4 * time.Second)
		synctest.Wait()
		all, idle = workers(t, q)
		require.Equal(t, 2, all)
		require.Equal(t, 2, idle)

		burst()
		time.Sleep(2 * policy.IdleTimeout)
		synctest.Wait()
		all, _ = workers(t, q)
		require.Equal(t, 2, all, "and again")
	})
}

func TestNumbersOfCulledWorkersAreGivenOutAgain(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		var names atomic.Pointer[map[string]bool]
		burst := func() {
			seen := make(chan string, 20)
			for range 20 {
				require.NoError(t, q.Go(func(ctx *messages.Context) error {
					seen <- ctx.Worker()
					return ctx.Sleep(time.Second)
				}, false))
			}
			require.NoError(t, q.Flush(t.Context()))
			m := map[string]bool{}
			for range 20 {
				m[<-seen] = true
			}
			require.Len(t, m, 20, "two workers of one name")
			names.Store(&m)
		}
		for range 4 {
			burst()
			time.Sleep(2 * policy.IdleTimeout)
			synctest.Wait()
		}
		for name := range *names.Load() {
			n := 0
			_, err := fmt.Sscanf(name[strings.LastIndexByte(name, ':')+1:], "%d", &n)
			require.NoError(t, err)
			require.Less(t, n, 22, "numbers do not grow with time")
		}
	})
}

// A pool that has all the workers it may have keeps what waits, and asks again
// after a second. Nothing is lost, and nothing waits longer than it must.
func TestWorkerLimit(t *testing.T) {
	for name, kind := range map[string]Kind{"managed": Managed, "percpu": PerCPU, "unbound": Unbound} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(o *Options) { o.MaxWorkers = 3 }, func(t *testing.T, sys *System) {
				q := newTestQueue(t, sys, "q", QueueOptions{Kind: kind})
				begun := time.Now()
				var in, most, ran atomic.Int32
				for range 12 {
					require.NoError(t, q.Go(func(ctx *messages.Context) error {
						raise(&most, in.Add(1))
						defer in.Add(-1)
						ran.Add(1)
						return ctx.Sleep(500 * time.Millisecond)
					}, false))
				}
				require.NoError(t, q.Flush(t.Context()))
				require.EqualValues(t, 12, ran.Load())
				require.EqualValues(t, 3, most.Load())
				require.Equal(t, 2*time.Second, time.Since(begun))
				all, _ := workers(t, q)
				require.Equal(t, 3, all)
			})
		})
	}
}

// The pool asks again on its own: here a worker's end makes room, and nothing else
// happens that could remind it.
func TestAFailedCreationIsTriedAgainAfterASecond(t *testing.T) {
	bubble(t, 1, func(o *Options) { o.MaxWorkers = 1 }, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		held, open := newHeld()
		held.on(t, q)
		<-held.entered
		next := newJob(nil).on(t, q)
		time.Sleep(2500 * time.Millisecond)
		require.Zero(t, next.ran.Load())
		begun := time.Now()
		close(open)
		<-next.entered
		require.Zero(t, time.Since(begun), "the worker that comes free takes it at once")
		time.Sleep(5 * time.Second)
		synctest.Wait()
		all, idle := workers(t, q)
		require.Equal(t, 1, all)
		require.Equal(t, 1, idle)
	})
}
