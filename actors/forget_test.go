package actors

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// Once: each flush of an item that was given up left a waiter until the item
// ended, wherever the item was.
func TestAnItemFlushThatGaveUpLeavesNothing(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", quiet1)
		p := q.table.Load().shares[0].pool
		running, open := newHeld()
		running.on(t, q)
		<-running.entered
		waits := newJob(nil).on(t, q)
		for range 10 {
			for _, j := range []*job{running, waits} {
				ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
				require.ErrorIs(t, Flush(ctx, &j.it), context.DeadlineExceeded)
				cancel()
			}
		}
		_, err := Disable(shortly(t), &running.it)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		synctest.Wait()
		require.Empty(t, p.waits)
		require.Equal(t, messages.OnInactive, waits.it.List, "nobody waits for it any more")
		for _, w := range p.leased {
			require.Empty(t, w.waiters)
			require.Empty(t, w.flushers)
		}
		flushed := make(chan error, 1)
		go func() { flushed <- Flush(t.Context(), &waits.it) }()
		synctest.Wait()
		require.Error(t, Flush(shortly(t), &waits.it), "who gives up takes nobody else off")
		close(open)
		require.NoError(t, <-flushed)
		require.EqualValues(t, 1, waits.ran.Load())
	})
}

// shortly is a context that ends in a millisecond.
func shortly(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// Once: each flush or drain of a queue that was given up left a waiter, and an open
// epoch of each share, until what it waited for ended.
func TestAQueueFlushThatGaveUpLeavesNothing(t *testing.T) {
	done := make([]chan error, 4)
	for i := range done {
		done[i] = make(chan error, 1)
	}
	by := func(c chan error) recipient { return recipient{done: c} }
	a := &queueActor{flushes: *policy.NewFlushes(1), epochs: []epochWait{{epoch: 7, recipient: by(done[0])}, {epoch: 8}, {epoch: 9, recipient: by(done[1])}},
		drain: &drainPass{ends: true, drains: []recipient{by(done[2])}, destroy: []recipient{by(done[3])}}}
	for _, c := range done[1:] {
		a.forget(c)
	}
	a.forget(make(chan error))
	require.Len(t, a.epochs, 2, "the pass of the drain, and who still waits")
	require.Empty(t, a.drain.drains)
	require.Empty(t, a.drain.destroy)
	require.True(t, a.drain.ends, "the queue ends all the same")

	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		held, open := newHeld()
		held.on(t, q)
		<-held.entered
		for range 20 {
			require.Error(t, q.Flush(shortly(t)))
		}
		require.Error(t, q.Destroy(shortly(t)))
		require.NoError(t, q.Queue(&held.it, held.f, false), "chained to the execution")
		open <- struct{}{}
		open <- struct{}{}
		<-q.gone.done() // though nobody waits for it
		synctest.Wait()
		require.Nil(t, sys.Queue("q"))
	})
}
