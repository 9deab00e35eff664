package policy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A chain that awaits older items elsewhere has no first item to list, and holds
// what arrives, slots or not, until the last older share has been heard of.
func TestAChainAwaitsOlderShares(t *testing.T) {
	p, s, c := NewPool(PerCPU, 1, 1), NewShare(4, false), new(Chain)
	c.Await(2)
	require.True(t, c.Awaits())
	require.False(t, c.Idle(), "it is to be kept")
	for range 3 {
		held, active := p.ArriveKeyed(s, c)
		require.True(t, held)
		require.False(t, active)
	}
	require.Zero(t, s.Active()+s.Inactive(), "they have no slot, and want none")
	require.False(t, p.NeedMoreWorker())
	require.False(t, c.Ended(), "the other may have some")
	p.Unhold(s, c)
	require.True(t, c.Ended())
	require.False(t, c.Awaits())
	follows, active := p.Follow(s, c)
	require.True(t, follows && active)
	require.Equal(t, 1, c.Held())
	require.Equal(t, 1, s.Waiting())
}

// With no older share to await, the first that arrives is listed.
func TestAChainAwaitsNobody(t *testing.T) {
	p, s, c := NewPool(PerCPU, 1, 1), NewShare(1, false), new(Chain)
	c.Await(0)
	require.False(t, c.Awaits())
	require.True(t, c.Idle())
	held, active := p.ArriveKeyed(s, c)
	require.False(t, held)
	require.True(t, active)
}

// All that was held for older items is cancelled: the chain has nothing, and what
// is heard of older shares finds it so.
func TestAChainAwaitsAndIsEmptied(t *testing.T) {
	p, s, c := NewPool(PerCPU, 1, 1), NewShare(1, false), new(Chain)
	c.Await(1)
	p.ArriveKeyed(s, c)
	p.Unhold(s, c)
	require.True(t, s.Idle())
	follows, _ := p.Follow(s, c)
	require.False(t, follows)
	require.True(t, c.Idle())
	require.True(t, c.Ended())
}
