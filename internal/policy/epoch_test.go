package policy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A thousand flushes behind one item that does not end are one entry, and end
// together with it.
func TestEpochsWithNothingBetweenAreOne(t *testing.T) {
	t.Parallel()
	for _, first := range []uint32{0, 1<<32 - 500} { // numbers wrap around
		e := Epochs{now: first}
		e.arrive(1)
		for range 1000 {
			_, ok := e.Close()
			require.False(t, ok)
		}
		require.Len(t, e.open, 1)
		e.arrive(2)
		later := e.Now()
		e.Close()
		require.Len(t, e.open, 2)
		_, ok := e.Finish(later, 1)
		require.False(t, ok)
		empty, ok := e.Finish(first, 1)
		require.True(t, ok)
		require.Equal(t, first+999, empty)
		require.Equal(t, 1, e.Unfinished())
		empty, ok = e.Finish(later, 1)
		require.True(t, ok)
		require.Equal(t, later, empty)
	}
}
