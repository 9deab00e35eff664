package actors

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/threads"
)

// Threads that are given out are all different, and never the main one; close waits for
// them.
func TestOwnThreads(t *testing.T) {
	d := newDispatcher(0)
	const n = 100
	var all sync.WaitGroup
	all.Add(n)
	var ids sync.Map
	var ended atomic.Int32
	end, closed := make(chan struct{}), make(chan error)
	for range n {
		d.ownThread(func() {
			ids.Store(threads.ID(), threads.Main())
			all.Done()
			<-end // it keeps its thread
			ended.Add(1)
		})
	}
	all.Wait()
	go func() { closed <- d.close(context.Background()) }()
	close(end)
	require.NoError(t, <-closed)
	require.Equal(t, int32(n), ended.Load())
	found := 0
	ids.Range(func(_, main any) bool {
		found++
		require.Equal(t, false, main)
		return true
	})
	if runtime.GOOS == "linux" {
		require.Equal(t, n, found)
	}
}
