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

// One slow yield is mostly an accident of the machine; those that follow each other are not.
func TestNobodyGivesWayForLongerIfItIsNoAccident(t *testing.T) {
	d := NoYieldFor(time.Hour, 0, 0)
	require.Equal(t, NoYieldMin, d)
	until := time.Hour + d
	require.Equal(t, NoYieldMin, NoYieldFor(until+d, until, d), "it is long ago")
	for _, want := range []time.Duration{64 * time.Millisecond, 256 * time.Millisecond, NoYieldMax, NoYieldMax} {
		now := until + d - 1
		d = NoYieldFor(now, until, d)
		require.Equal(t, want, d)
		until = now + d
	}
	require.Equal(t, NoYieldMin, NoYieldFor(until+d, until, d))
}
