package actors

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// inOrder makes jobs that note the order in which they run.
func inOrder(n int) (jobs []*job, got func() []int) {
	var mu sync.Mutex
	var order []int
	for i := range n {
		jobs = append(jobs, newJob(func(*messages.Context) error {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, i)
			return nil
		}))
	}
	return jobs, func() []int { mu.Lock(); defer mu.Unlock(); return slices.Clone(order) }
}

// Warning 1: items come back from a lease to be cancelled or waited for, and the
// others keep their order.
func TestCancelInTheMiddleOfALease(t *testing.T) {
	for name, o := range map[string]QueueOptions{"slots": {}, "riders": quiet1, "ordered": {Kind: Ordered}, "percpu": {Kind: PerCPU}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, nil, func(t *testing.T, sys *System) {
				q := newTestQueue(t, sys, "q", o)
				go1 := make(chan struct{})
				first := newJob(func(*messages.Context) error { <-go1; return nil })
				jobs, got := inOrder(8)
				leaseOfMany(t, q, first, jobs...)
				require.True(t, Cancel(&jobs[3].it))
				require.False(t, Cancel(&jobs[3].it))
				require.False(t, Cancel(&first.it), "it runs")
				require.True(t, Cancel(&jobs[7].it))
				require.NoError(t, q.Queue(&jobs[3].it, jobs[3].f, false), "what was cancelled is its owner's")
				close(go1)
				require.NoError(t, q.Flush(t.Context()))
				require.Equal(t, []int{0, 1, 2, 4, 5, 6, 3}, got())
			})
		})
	}
}

// Who waits for one item of a lease of many is released when that item has
// ended, not when the lease has.
func TestFlushOfAnItemInALease(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		go1, go2 := make(chan struct{}), make(chan struct{})
		first := newJob(func(*messages.Context) error { <-go1; return nil })
		jobs, got := inOrder(3)
		last := newJob(func(*messages.Context) error { <-go2; return nil })
		leaseOfMany(t, q, first, append(slices.Clone(jobs), last)...)
		flushed := make(chan []int, 1)
		go func() { _ = Flush(t.Context(), &jobs[1].it); flushed <- got() }()
		synctest.Wait()
		close(go1)
		order := <-flushed
		require.Equal(t, []int{0, 1}, order[:2])
		<-last.entered
		close(go2)
		require.NoError(t, q.Flush(t.Context()))
	})
}

func TestFlushOfTheItemThatALeaseIsAt(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		first := newJob(func(*messages.Context) error { time.Sleep(time.Millisecond); return nil })
		jobs, _ := inOrder(1)
		held, open := newHeld()
		leaseOfMany(t, q, first, held, jobs[0])
		require.NoError(t, Flush(t.Context(), &first.it))
		<-jobs[0].entered // the rest went on, past the one that blocks
		close(open)
	})
}

// An armed item that is flushed is queued at once; that it was armed again when it runs does
// not release who waits for the run.
func TestFlushOfAnArmedItemThatArmsItselfAgain(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		held, open := newHeld()
		require.NoError(t, q.Queue(&held.it, held.f, false))
		<-held.entered
		require.NoError(t, q.QueueAfter(time.Hour, messages.AnyCPU, &held.it, held.f, false))
		flushed := make(chan error, 1)
		go func() { flushed <- flush(t.Context(), &held.it, true) }() // it has queued the one that runs
		synctest.Wait()
		require.Empty(t, flushed)
		close(open)
		require.NoError(t, <-flushed)
		require.Equal(t, messages.Pending|messages.Delayed, held.it.State()&(messages.Pending|messages.Delayed|messages.Running), "that is armed for later")
		require.NoError(t, flush(t.Context(), &held.it, true), "nothing of it runs")
		require.True(t, Cancel(&held.it))
	})
}

// Cancel waits for a turn, never for an execution.
func TestCancelWaitInALease(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		begun := time.Now()
		first := newJob(func(*messages.Context) error { time.Sleep(time.Second); return nil })
		jobs, got := inOrder(4)
		leaseOfMany(t, q, first, jobs...)
		was, err := CancelWait(t.Context(), &jobs[2].it)
		require.NoError(t, err)
		require.True(t, was)
		require.Zero(t, time.Since(begun))
		was, err = CancelWait(t.Context(), &first.it)
		require.NoError(t, err)
		require.False(t, was)
		require.Equal(t, time.Second, time.Since(begun), "it did not listen: it was waited for")
		require.NoError(t, q.Flush(t.Context()))
		require.Equal(t, []int{0, 1, 3}, got())
	})
}
