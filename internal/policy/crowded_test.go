package policy

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A tick that is late says that CPUs are held, unless leases ended all the time.
func TestCrowded(t *testing.T) {
	const ms = time.Millisecond
	require.True(t, Crowded(12*ms, 10*ms), "hogs had a slice")
	require.True(t, Crowded(12*ms, 12*ms), "nothing ended at all")
	require.False(t, Crowded(12*ms, ms), "workers have CPUs; who looks for one to run finds no time for timers")
	require.False(t, Crowded(TickPeriod+TickLate, 5*ms), "in time")
}
