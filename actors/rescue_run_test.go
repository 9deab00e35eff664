package actors

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// An item that is queued while it runs on a rescuer waits for that rescuer; cancel,
// flush and disable find it there.
func TestItemOnARescuerIsFound(t *testing.T) {
	f := &famine{}
	bubble(t, 1, f.set, func(t *testing.T, sys *System) {
		wake := starve(t, sys, f)
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU, MemReclaim: true})
		var at atomic.Int32
		j := newJob(func(ctx *messages.Context) error {
			require.EqualValues(t, 1, at.Add(1), "it runs twice at once")
			defer at.Add(-1)
			require.True(t, ctx.IsRescuer())
			return ctx.Sleep(time.Minute)
		})
		j.on(t, q)
		<-j.entered
		s := j.it.State()
		require.Equal(t, messages.MaxWorkers-1, s.Worker())
		require.Equal(t, q.table.Load().shares[0].pool.id, s.Runner())
		j.on(t, q) // again, while it runs: parked
		synctest.Wait()
		flushed := make(chan error, 1)
		go func() { flushed <- Flush(t.Context(), &j.it) }()
		synctest.Wait()
		was, err := CancelWait(t.Context(), &j.it)
		require.NoError(t, err)
		require.True(t, was)
		require.NoError(t, <-flushed)
		require.EqualValues(t, 1, j.ran.Load())

		quick := newJob(nil)
		j.on(t, q)
		<-j.entered
		j.on(t, q)
		quick.on(t, q)
		flushed = make(chan error, 1)
		go func() { flushed <- Flush(t.Context(), &quick.it) }()
		time.Sleep(59 * time.Second)
		require.Empty(t, flushed)
		require.NoError(t, <-flushed)
		require.EqualValues(t, 1, quick.ran.Load())
		require.EqualValues(t, 3, j.ran.Load(), "the parked one came first: it was queued first")
		f.on.Store(false)
		close(wake)
	})
}

// A rescued item may panic, call Goexit, or fail; the rescuer goes on.
func TestRescuedItemFails(t *testing.T) {
	f := &famine{}
	var failures atomic.Int32
	bubble(t, 1, func(o *Options) {
		f.set(o)
		o.OnFailure = func(*Queue, *messages.Failed) { failures.Add(1) }
	}, func(t *testing.T, sys *System) {
		wake := starve(t, sys, f)
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU, MemReclaim: true, MaxActive: 3})
		var ran atomic.Int32
		for i := range 60 {
			require.NoError(t, q.Go(func(ctx *messages.Context) error {
				ran.Add(1)
				require.True(t, ctx.IsRescuer())
				return failing(ctx, i)
			}, false))
		}
		require.NoError(t, q.Flush(t.Context()))
		synctest.Wait()
		require.EqualValues(t, 60, ran.Load())
		st, err := q.Stats(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 40, st.Failed)
		require.EqualValues(t, 40, failures.Load())
		require.EqualValues(t, 60, st.Rescued)
		require.Equal(t, []int{0, 0, 0}, []int{st.Active, st.Inactive, st.Running})
		f.on.Store(false)
		close(wake)
	})
}

func failing(ctx *messages.Context, i int) error {
	switch i % 6 {
	case 0:
		return fmt.Errorf("item %d", i)
	case 1:
		panic(i)
	case 2:
		goexit()
	case 3:
		ctx.Block(goexit)
	case 4:
		return ctx.Sleep(time.Millisecond)
	}
	return nil
}

func goexit() { runtime.Goexit() }
