package actors

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func (d *dispatcher) counts() (idle, live int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.idle), d.live
}

func TestDispatcherReusesGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDispatcher(4)
		for range 100 {
			d.Schedule(func() {})
			synctest.Wait()
		}
		idle, live := d.counts()
		require.Equal(t, 1, idle)
		require.Equal(t, 1, live)
		require.NoError(t, d.close(t.Context()))
	})
}

func TestDispatcherKeepsSoManyAndNoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDispatcher(3)
		open := make(chan struct{})
		for range 10 {
			d.Schedule(func() { <-open })
		}
		_, live := d.counts()
		require.Equal(t, 10, live, "a blocked one costs only its goroutine")
		close(open)
		synctest.Wait()
		idle, live := d.counts()
		require.Equal(t, 3, idle)
		require.Equal(t, 3, live)
		require.NoError(t, d.close(t.Context()))
	})
}

// protoactor's own dispatchers lose an actor whose handler calls Goexit: its
// mailbox counts as running for ever. Here its loop runs again.
func TestDispatcherSurvivesGoexit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDispatcher(4)
		var runs atomic.Int32
		d.Schedule(func() {
			if runs.Add(1) < 3 {
				runtime.Goexit()
			}
		})
		synctest.Wait()
		require.EqualValues(t, 3, runs.Load())
		_, live := d.counts()
		require.Equal(t, 1, live)
		require.NoError(t, d.close(t.Context()))
	})
}

func TestDispatcherCloseWaitsForWhatRunsAndForNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDispatcher(4)
		d.Schedule(func() { time.Sleep(time.Second) })
		d.Schedule(func() {})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		require.ErrorIs(t, d.close(ctx), context.DeadlineExceeded)
		idle, live := d.counts()
		require.Equal(t, 0, idle, "the idle ones ended at once")
		require.Equal(t, 1, live)
		require.NoError(t, d.close(t.Context()))
		_, live = d.counts()
		require.Equal(t, 0, live)
	})
}

// Workers report while the system ends: what is scheduled late runs, and its
// goroutine is not kept.
func TestDispatcherRunsWhatIsScheduledAfterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDispatcher(4)
		require.NoError(t, d.close(t.Context()))
		ran := false
		d.Schedule(func() { ran = true })
		synctest.Wait()
		require.True(t, ran)
		_, live := d.counts()
		require.Equal(t, 0, live)
	})
}

func TestDispatcherUnderManySchedulersAndAClose(t *testing.T) {
	for range 20 {
		d := newDispatcher(2)
		var ran atomic.Int64
		var wg, late sync.WaitGroup
		late.Add(400)
		for range 4 {
			wg.Go(func() {
				for i := range 100 {
					d.Schedule(func() {
						defer late.Done()
						ran.Add(1)
						if i%10 == 0 {
							runtime.Gosched()
						}
					})
				}
			})
		}
		_ = d.close(t.Context())
		wg.Wait()
		late.Wait()
		require.EqualValues(t, 400, ran.Load())
	}
}
