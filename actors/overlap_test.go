package actors

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// twice is an item whose executions are let go one by one, the one that entered first by
// the first.
func twice() (j *job, open []chan struct{}) {
	open = []chan struct{}{make(chan struct{}), make(chan struct{})}
	j = newJob(nil)
	j.f = func(ctx *messages.Context) error {
		c := open[j.ran.Add(1)-1] // before the next may enter
		j.entered <- struct{}{}
		ctx.Block(func() { <-c })
		return nil
	}
	return j, open
}

// An item that runs for one queue and is queued on another whose pools are
// others may run twice at once, as in the kernel. Whoever ends first, the state
// is whole afterwards.
func TestAnItemOfTwoQueuesMayOverlap(t *testing.T) {
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		bubble(t, 1, nil, func(t *testing.T, sys *System) {
			a := newTestQueue(t, sys, "a", QueueOptions{})
			b := newTestQueue(t, sys, "b", QueueOptions{Kind: PerCPU})
			j, open := twice()
			j.on(t, a)
			<-j.entered
			j.on(t, b)
			<-j.entered // both run: nothing was let go
			close(open[order[0]])
			synctest.Wait()
			close(open[order[1]])
			require.NoError(t, a.Flush(t.Context()))
			require.NoError(t, b.Flush(t.Context()))
			require.Zero(t, j.it.State()&(messages.Pending|messages.Running))
			j.f = nil
			k := newJob(nil)
			require.NoError(t, a.Queue(&j.it, k.f, false), "it is as good as new")
			require.NoError(t, Flush(t.Context(), &j.it))
			require.EqualValues(t, 1, k.ran.Load())
		})
	}
}

// Two queues of one pool do not overlap: the pool sees that it runs the item.
func TestAnItemOfTwoQueuesOfOnePoolDoesNot(t *testing.T) {
	bubble(t, 2, nil, func(t *testing.T, sys *System) {
		a, b := newTestQueue(t, sys, "a", QueueOptions{}), newTestQueue(t, sys, "b", QueueOptions{})
		j, open := twice()
		j.on(t, a)
		<-j.entered
		j.on(t, b)
		synctest.Wait()
		require.EqualValues(t, 1, j.ran.Load())
		close(open[0])
		<-j.entered
		close(open[1])
		require.NoError(t, b.Flush(t.Context()))
	})
}

// Warning 12: a requeue from many goroutines while it runs is parked with the
// worker that runs it, wherever it is sent to.
func TestARunningItemQueuedOnAnotherCPUWaitsForItself(t *testing.T) {
	bubble(t, 4, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU})
		var in, ran int // one execution at a time: no lock
		j := newJob(func(ctx *messages.Context) error {
			in++
			if in != 1 {
				t.Error("two executions at once")
			}
			_ = ctx.Sleep(time.Millisecond)
			ran++
			in--
			return nil
		})
		j.entered = make(chan struct{}, 1000)
		var accepted int
		for range 100 {
			var wg sync.WaitGroup
			var mu sync.Mutex
			for cpu := range 4 {
				wg.Go(func() {
					if q.QueueOn(cpu, &j.it, j.f, false) == nil {
						mu.Lock()
						accepted++
						mu.Unlock()
					}
				})
			}
			wg.Wait()
			time.Sleep(300 * time.Microsecond)
		}
		require.NoError(t, q.Flush(t.Context()))
		require.Equal(t, accepted, ran)
		require.Greater(t, ran, 10)
	})
}
