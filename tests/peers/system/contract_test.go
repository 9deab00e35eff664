package system_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/tests/peers/system"
)

const (
	tasks     = 10_000
	limit     = 2
	producers = 4
)

// tally counts how often each task has run.
type tally []atomic.Int32

func (c tally) requireOnce(t *testing.T) {
	t.Helper()
	for i := range c {
		require.Equal(t, int32(1), c[i].Load(), "task %d", i)
	}
}

// Each system runs everything that was submitted, exactly once, before Close returns.
func TestContract(t *testing.T) {
	for _, s := range system.All() {
		t.Run(s.Name, func(t *testing.T) {
			require.NotEmpty(t, s.Setup)
			if s.Make != nil {
				t.Run("submit", func(t *testing.T) { testSubmit(t, s) })
				t.Run("producer", func(t *testing.T) { testProducer(t, s) })
				t.Run("limit", func(t *testing.T) { testLimit(t, s) })
			}
			if s.Results != nil {
				t.Run("results", func(t *testing.T) { testResults(t, s) })
			}
			if s.Timers != nil {
				t.Run("timers", func(t *testing.T) { testTimers(t, s) })
			}
		})
	}
}

func testSubmit(t *testing.T, s system.System) {
	e, err := s.Make(system.Setup{Limit: limit})
	require.NoError(t, err)
	ran := make(tally, tasks)
	var all sync.WaitGroup
	for p := range producers {
		all.Go(func() {
			for i := p; i < tasks; i += producers {
				e.Submit(func(i int) { ran[i].Add(1) }, i)
			}
		})
	}
	all.Wait()
	e.Close()
	ran.requireOnce(t)
}

func testProducer(t *testing.T, s system.System) {
	e, err := s.Make(system.Setup{Limit: limit})
	require.NoError(t, err)
	var ran atomic.Int64
	var all sync.WaitGroup
	for range producers {
		all.Go(func() {
			submit := e.Producer(func() { ran.Add(1) })
			for range tasks / producers {
				submit()
			}
		})
	}
	all.Wait()
	e.Close()
	require.EqualValues(t, tasks, ran.Load())
}

// No more than the limit run at once where tasks keep their place, and that many do.
func testLimit(t *testing.T, s system.System) {
	if s.Unlimited {
		t.Skip("starts everything at once")
	}
	want := int32(limit)
	if s.Single {
		want = 1
	}
	e, err := s.Make(system.Setup{Limit: limit, Hold: true})
	require.NoError(t, err)
	var now, most atomic.Int32
	var full sync.Once
	open := make(chan struct{})
	for i := range 100 {
		submitted := make(chan struct{})
		go func() {
			defer close(submitted)
			e.Submit(func(int) {
				n := now.Add(1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				if n == want {
					full.Do(func() { close(open) })
				}
				<-open
				now.Add(-1)
			}, i)
		}()
		if s.Queues || i < int(want) {
			<-submitted
		} else {
			<-open
			<-submitted
		}
	}
	e.Close()
	require.Equal(t, want, most.Load())
}

func testResults(t *testing.T, s system.System) {
	e, err := s.Results(limit)
	require.NoError(t, err)
	next := 0
	for range tasks / 100 {
		var window []system.Result
		submit := e.Producer(func() int { return next })
		for range 100 {
			window = append(window, submit())
		}
		for _, r := range window {
			n, err := r.Wait()
			require.NoError(t, err)
			require.Equal(t, next, n)
		}
		next++
	}
	e.Close()
}

func testTimers(t *testing.T, s system.System) {
	e, err := s.Timers()
	require.NoError(t, err)
	ran := make(tally, tasks)
	var all sync.WaitGroup
	all.Add(tasks)
	for i := range tasks {
		e.Arm(time.Duration(i%10)*time.Millisecond, func(i int) { ran[i].Add(1); all.Done() }, i)
	}
	if timer := e.Arm(time.Hour, func(int) { t.Error("stopped, and ran") }, 0); timer != nil {
		require.True(t, e.Reset(timer, time.Minute))
		require.True(t, e.Stop(timer))
		require.False(t, e.Stop(timer))
	}
	all.Wait()
	e.Close()
	ran.requireOnce(t)
}
