package actors

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// An item may begin while a snapshot is taken, after that has looked at the clock.
func TestNothingIsInFlightForLessThanNoTime(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		open := make(chan struct{})
		defer close(open)
		require.NoError(t, q.Go(func(*messages.Context) error { <-open; return nil }, false))
		synctest.Wait()
		p := q.table.Load().shares[0].pool
		require.Len(t, p.leased, 1)
		e, ok := p.execution(p.leased[0], sys.now()-1)
		require.True(t, ok)
		require.Zero(t, e.For)
	})
}
