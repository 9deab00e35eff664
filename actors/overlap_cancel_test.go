package actors

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// Once: an item that overlapped itself, and was pending where its first execution
// went on, could not be cancelled or flushed before that had ended: its worker was
// taken for one that is about to begin it.
func TestAnItemThatOverlapsItselfIsCancelledAtOnce(t *testing.T) {
	for name, op := range map[string]func(ctx context.Context, it *messages.Item) (bool, error){
		"cancel": func(_ context.Context, it *messages.Item) (bool, error) { return Cancel(it), nil },
		"disable": func(ctx context.Context, it *messages.Item) (bool, error) {
			was, err := Disable(ctx, it)
			return was, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, nil, func(t *testing.T, sys *System) {
				a := newTestQueue(t, sys, "a", quiet1)
				b := newTestQueue(t, sys, "b", QueueOptions{Kind: PerCPU})
				j, open := twice()
				j.on(t, a)
				<-j.entered
				j.on(t, b)
				<-j.entered // both run
				j.on(t, a)  // and it waits for the slot of the first
				if name != "cancel" {
					close(open[1]) // disable waits for the execution that the state names
				}
				synctest.Wait()
				done := make(chan bool, 1)
				go func() {
					was, err := op(t.Context(), &j.it)
					done <- was && err == nil
				}()
				synctest.Wait()
				require.Len(t, done, 1, "it waits for the first execution")
				require.True(t, <-done)
				close(open[0])
				if name == "cancel" {
					close(open[1])
				}
				require.NoError(t, a.Flush(t.Context()))
				require.NoError(t, b.Flush(t.Context()))
				require.EqualValues(t, 2, j.ran.Load())
				require.Zero(t, j.it.State()&(messages.Pending|messages.Running))
			})
		})
	}
}

// A flush of it waits for the instance that is pending, not for the execution that
// the state lost. (kernel: flush_work looks at the last pool, and no other)
func TestAFlushOfAnItemThatOverlapsItselfWaitsForThePendingOne(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		a := newTestQueue(t, sys, "a", quiet1)
		b := newTestQueue(t, sys, "b", QueueOptions{Kind: PerCPU})
		j, open := twice()
		j.on(t, a)
		<-j.entered
		j.on(t, b)
		<-j.entered
		done := make(chan error, 1)
		go func() { done <- Flush(t.Context(), &j.it) }()
		synctest.Wait()
		require.Empty(t, done)
		close(open[1])
		synctest.Wait()
		require.Len(t, done, 1, "the one that began last")
		require.EqualValues(t, 2, j.ran.Load())
		close(open[0])
	})
}
