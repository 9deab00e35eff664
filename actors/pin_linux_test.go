package actors

import (
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/internal/threads"
)

func withThreads(o *Options) { o.Pinning = true }

// needsCPU skips a test that pins to CPU 0 where that is another's.
func needsCPU(t *testing.T) {
	t.Helper()
	if cpus, err := threads.Bound(os.Getpid()); err != nil || !cpus.Contains(0) {
		t.Skip("CPU 0 is not this process's", err)
	}
}

// A thread ends when its worker is culled, and all do with the system.
func TestThreadsOfCulledWorkers(t *testing.T) {
	needsCPU(t)
	var s *System
	bubble(t, 1, withThreads, func(t *testing.T, sys *System) {
		s = sys
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU})
		var open []chan struct{}
		for range 6 {
			held, o := newHeld()
			held.on(t, q)
			<-held.entered
			open = append(open, o)
		}
		synctest.Wait()
		require.Equal(t, int64(7), sys.threads.Load(), "one is idle")
		for _, o := range open {
			close(o)
		}
		time.Sleep(20 * policy.IdleTimeout)
		synctest.Wait()
		require.Equal(t, int64(2), sys.threads.Load(), "two may be idle")
	})
	require.Zero(t, s.threads.Load())
}

// Work waits where there may be no more threads, and is done when there may.
func TestThreadsRunOut(t *testing.T) {
	needsCPU(t)
	bubble(t, 1, withThreads, func(t *testing.T, sys *System) {
		sys.threads.Add(mostThreads)
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU})
		j := newJob(nil)
		j.on(t, q)
		time.Sleep(10 * time.Second)
		require.Zero(t, j.ran.Load())
		sys.threads.Add(-mostThreads)
		time.Sleep(2 * policy.CreateCooldown)
		require.Equal(t, int32(1), j.ran.Load())
		require.Positive(t, sys.threads.Load())
	})
}
