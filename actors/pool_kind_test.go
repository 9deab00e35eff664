package actors

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// A pool of high priority has nothing to do with the normal one beside it, not
// even when that is blocked by an item that says nothing.
func TestHighPriorityDoesNotWaitForNormal(t *testing.T) {
	for name, kind := range map[string]Kind{"managed": Managed, "percpu": PerCPU} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, nil, func(t *testing.T, sys *System) {
				normal := newTestQueue(t, sys, "normal", QueueOptions{Kind: kind})
				high := newTestQueue(t, sys, "high", QueueOptions{Kind: kind, HighPri: true})
				free := make(chan struct{})
				hog := newJob(func(*messages.Context) error { <-free; return nil }).on(t, normal)
				<-hog.entered
				waits := newJob(nil).on(t, normal)
				begun := time.Now()
				j := newJob(nil).on(t, high)
				<-j.entered
				require.Zero(t, time.Since(begun))
				require.Zero(t, waits.ran.Load())
				close(free)
				<-waits.entered
			})
		})
	}
}

func TestQueueOnRunsOnThePoolOfThatCPU(t *testing.T) {
	bubble(t, 3, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU})
		for cpu := range 3 {
			var got int
			j := newJob(func(ctx *messages.Context) error { got = ctx.CPU(); return nil })
			require.NoError(t, q.QueueOn(cpu, &j.it, j.f, false))
			require.NoError(t, Flush(t.Context(), &j.it))
			require.Equal(t, cpu, got)
		}
		managed := newTestQueue(t, sys, "managed", QueueOptions{})
		var got int
		newJob(func(ctx *messages.Context) error { got = ctx.CPU(); return nil }).on(t, managed)
		require.NoError(t, managed.Flush(t.Context()))
		require.Equal(t, -1, got, "a managed pool has several")
	})
}

// Width 1: the next item of a CPU starts when the one before it ends or says that
// it blocks, also if it says so a second time; other CPUs do not wait.
func TestPerCPUStartsOneAtATime(t *testing.T) {
	bubble(t, 2, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU})
		on := func(cpu int, j *job) *job {
			require.NoError(t, q.QueueOn(cpu, &j.it, j.f, false))
			return j
		}
		burn, block := make(chan struct{}), make(chan struct{})
		first := on(0, newJob(func(ctx *messages.Context) error {
			<-burn
			ctx.Block(func() { <-block })
			return nil
		}))
		<-first.entered
		second := on(0, newJob(nil))
		other := on(1, newJob(nil))
		<-other.entered
		synctest.Wait()
		require.Zero(t, second.ran.Load())
		close(burn)
		<-second.entered
		close(block)
		require.NoError(t, q.Flush(t.Context()))
	})
}

func TestWorkersHaveTheKernelsNames(t *testing.T) {
	for want, o := range map[string]QueueOptions{
		`^kworker/1:\d+$`:     {Kind: PerCPU},
		`^kworker/1:\d+H$`:    {Kind: PerCPU, HighPri: true},
		`^kworker/u\d+:\d+$`:  {},
		`^kworker/u\d+:\d+H$`: {Kind: Unbound, HighPri: true},
	} {
		bubble(t, 2, nil, func(t *testing.T, sys *System) {
			q := newTestQueue(t, sys, "q", o)
			var name string
			j := newJob(func(ctx *messages.Context) error { name = ctx.Worker(); return nil })
			require.NoError(t, q.QueueOn(1, &j.it, j.f, false))
			require.NoError(t, q.Flush(t.Context()))
			require.Regexp(t, want, name)
		})
	}
}

// Warning 10: a worker that left the count as a hog stays out of it until its
// lease ends, whatever it says meanwhile; counted twice it would hold a slot of
// the width for ever.
func TestADeclaredSleepOfAHog(t *testing.T) {
	bubble(t, 1, func(o *Options) { o.HogThreshold = 0 }, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU})
		stay := make(chan struct{})
		hog := newJob(func(ctx *messages.Context) error {
			time.Sleep(50 * time.Millisecond) // says nothing: it holds the CPU
			for range 3 {
				_ = ctx.Sleep(10 * time.Millisecond)
			}
			<-stay
			return nil
		}).on(t, q)
		<-hog.entered
		for range 5 {
			j := newJob(nil).on(t, q)
			<-j.entered
			time.Sleep(40 * time.Millisecond)
		}
		st, err := q.Stats(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 1, st.CPUIntensive)
		require.Zero(t, st.Running)
		close(stay)
		require.NoError(t, q.Flush(t.Context()))
		j := newJob(func(ctx *messages.Context) error { time.Sleep(time.Millisecond); return nil }).on(t, q)
		<-j.entered
		st, err = q.Stats(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, st.Running, "what runs now counts")
	})
}
