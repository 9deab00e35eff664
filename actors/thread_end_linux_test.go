package actors

import (
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/threads"
	"github.com/cmwq/cmwq/messages"
)

// The number of a thread that has ended may be another's: nobody binds it, or reads its
// clock. A worker whose item called Goexit goes on with another thread.
func TestTheNumberOfAThreadIsItsOwn(t *testing.T) {
	needsCPU(t)
	var ended []*thread
	bubble(t, 1, withThreads, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU})
		newJob(func(*messages.Context) error { runtime.Goexit(); return nil }).on(t, q)
		synctest.Wait()
		var id int
		newJob(func(*messages.Context) error { id = threads.ID(); return nil }).on(t, q)
		synctest.Wait()
		found := false
		for _, w := range q.table.Load().pick().pool.workers {
			if w != nil {
				ended = append(ended, w.thread)
				found = found || w.thread.id.Load() == int64(id)
			}
		}
		require.True(t, found)
	})
	for _, x := range ended {
		require.Zero(t, x.id.Load())
	}
}
