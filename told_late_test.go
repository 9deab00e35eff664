package cmwq_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/messages"
)

// Who asks a queue for something while it ends is told, whatever the queue was at: it
// may have stopped, and wait for its rescuer to do so.
func TestStressWhoAsksAQueueThatEndsIsAnswered(t *testing.T) {
	as, sys := startActors(t, silent())
	for i := range short.Rounds(100) {
		q := queue(t, sys, fmt.Sprint("q", i), cmwq.MemReclaim())
		require.NoError(t, q.Go(nop))
		var askers sync.WaitGroup
		for _, msg := range []any{&messages.Flush{}, &messages.Drain{}, &messages.Destroy{}, &messages.Flush{}} {
			askers.Go(func() {
				for {
					x, err := as.Root.RequestFuture(q.PID(), msg, 20*time.Second).Result()
					if errors.Is(err, actor.ErrTimeout) {
						t.Errorf("no answer to %T", msg)
					}
					if m, ok := x.(*messages.Flushed); err != nil || ok && m.Err != nil {
						return
					}
				}
			})
		}
		as.Root.Stop(q.PID())
		askers.Wait()
	}
}
