package policy

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestLooksArePutOffByWhatTheyCost(t *testing.T) {
	var l Looks
	require.True(t, l.May(0, 10, false), "the first is free")
	l.Took(time.Second, time.Second+2*time.Millisecond)
	require.Equal(t, 1202*time.Millisecond, l.Next())
	require.False(t, l.May(1202*time.Millisecond-1, 10, true))
	require.True(t, l.May(1202*time.Millisecond, 10, true))
	l.Took(2*time.Second, 2*time.Second)
	require.True(t, l.May(2*time.Second, 10, false), "it took no time")
	l.Took(4*time.Second, 3*time.Second)
	require.True(t, l.May(3*time.Second, 10, false), "a clock that goes back costs nothing")
}

// A process of a million goroutines is not looked through unasked.
func TestLooksAvoidCrowdsUnlessAsked(t *testing.T) {
	var l Looks
	require.True(t, l.May(0, LookCrowd, false))
	require.False(t, l.May(0, LookCrowd+1, false))
	require.True(t, l.May(0, LookCrowd+1, true))
}

// However often it is asked, and whatever each costs: at any moment that the next may
// be taken, all before it took at most 1 % of the time since the first began.
func TestLooksKeepTheirShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l Looks
		now, spent := time.Duration(0), time.Duration(0)
		for range 50 {
			now += time.Duration(rapid.Int64Range(0, int64(time.Second)).Draw(t, "pause"))
			if !l.May(now, 1, true) {
				continue
			}
			if spent*LookShare > now {
				t.Fatalf("%v of %v", spent, now)
			}
			cost := time.Duration(rapid.Int64Range(0, int64(50*time.Millisecond)).Draw(t, "cost"))
			l.Took(now, now+cost)
			now, spent = now+cost, spent+cost
		}
	})
}
