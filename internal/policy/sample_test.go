package policy

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestStamps(t *testing.T) {
	for n := uint(0); n <= RarestTime; n++ {
		got, ok := Taken(TakeTime(n))
		require.True(t, ok)
		require.Equal(t, n, got)
		s := Stamp(int64(time.Hour)+7, n)
		require.Positive(t, s)
		at, got := Stamped(s)
		require.Equal(t, n, got)
		require.InDelta(t, float64(time.Hour+7), float64(at), 16)
	}
	for n := uint(0); n <= RarestTime; n++ {
		require.Equal(t, n > 0, Skips(n) == SkipTime)
		require.NotEqual(t, Skips(0), TakeTime(n))
	}
	for _, none := range []int64{SkipTime, 0, 1, int64(time.Second)} {
		_, ok := Taken(none)
		require.False(t, ok, none)
	}
}

// What is long, or comes alone, is measured each time; a flood costs a few per cent.
func TestRarity(t *testing.T) {
	require.Zero(t, Rarity(0, 0))
	require.Zero(t, Rarity(1, 0), "a lease of one")
	require.Zero(t, Rarity(2, 5*time.Microsecond))
	require.EqualValues(t, 1, Rarity(2, 5*time.Microsecond-2))
	require.EqualValues(t, RarestTime, Rarity(256, 256*28))
	require.EqualValues(t, 7, Rarity(256, 256*100))
	require.EqualValues(t, 2, Rarity(256, 256*time.Microsecond))
	require.EqualValues(t, RarestTime, Rarity(256, 0))
	for ran := 2; ran < 256; ran += 7 {
		for took := time.Duration(1); took < time.Second; took *= 3 {
			n := Rarity(ran, took)
			require.LessOrEqual(t, Rarity(ran, 2*took), n)
		}
	}
}

// A lease that was held up changes little of what is measured next; items that are longer
// from now on are each measured soon; and who comes alone is, at once.
func TestNextRarity(t *testing.T) {
	const few = 28 * time.Nanosecond
	require.EqualValues(t, RarestTime, NextRarity(0, 256, 256*few), "a flood begins")
	held := NextRarity(RarestTime, 256, 10*time.Millisecond)
	require.EqualValues(t, RarestTime-2, held)
	require.EqualValues(t, RarestTime, NextRarity(held, 256, 256*few))
	n, leases := uint(RarestTime), 0
	for ; n > 0; leases++ {
		n = NextRarity(n, 10, time.Millisecond)
	}
	require.Equal(t, 5, leases)
	require.EqualValues(t, RarestTime-1, NextRarity(RarestTime, 1, 500*time.Nanosecond))
	require.Zero(t, NextRarity(RarestTime, 1, time.Millisecond))
	require.Zero(t, NextRarity(0, 1, 0))
}
