package actors

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whoever waits for a signal hears of it, whether the wait began before or after it.
func TestSignalReachesAll(t *testing.T) {
	for range 200 {
		var s signal
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() { <-s.done() })
		}
		wg.Go(s.give)
		wg.Wait()
		require.True(t, s.isGiven())
		<-s.done()
	}
	var s signal
	require.False(t, s.isGiven())
	c := s.done()
	require.Equal(t, c, s.done(), "all wait for the same")
	require.False(t, s.isGiven())
}
