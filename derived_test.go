package cmwq_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// A context that an item derived asks the item's Context once more when its timer
// fires, which may be after the item has returned: the worker is at another item by
// then, and must not be taken for this one's. The race detector sees the rest.
func TestDerivedContextOutlivesItsItem(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "derived", cmwq.Ordered())
		var first *cmwq.Context
		require.NoError(t, q.Go(func(c *cmwq.Context) error {
			first = c
			_, cancel := context.WithTimeout(c, time.Second)
			cancel()
			return nil
		}))
		require.NoError(t, q.Go(func(c *cmwq.Context) error {
			require.NoError(t, c.Err())
			require.ErrorIs(t, first.Err(), context.Canceled, "not this item's")
			_, cancel := context.WithTimeout(c, time.Millisecond)
			defer cancel()
			return c.Sleep(time.Millisecond) // the timers fire at the same instant
		}))
		for range 100 {
			require.NoError(t, q.Go(func(*cmwq.Context) error { return nil }))
		}
		require.NoError(t, q.Flush(bg))
	})
}
