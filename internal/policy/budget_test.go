package policy

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The kernel's bh_worker: ten rounds, and none begins after two milliseconds.
func TestBudget(t *testing.T) {
	t.Parallel()
	rounds := func(each time.Duration) (n int) {
		now := time.Hour
		b := NewBudget(now)
		for more := true; more; n++ {
			now += each
			more = b.Spend(now)
		}
		return n
	}
	for each, want := range map[time.Duration]int{
		0: 10, time.Microsecond: 10, 199 * time.Microsecond: 10,
		400 * time.Microsecond: 5, 999 * time.Microsecond: 3, time.Millisecond: 2, time.Second: 1,
	} {
		require.Equal(t, want, rounds(each), "leases of %v", each)
	}
}

// A BH pool has one runner; it asks for nobody, never ticks, and what its runner
// says of sleep changes nothing.
func TestBHManagesNothing(t *testing.T) {
	t.Parallel()
	p, s, w := NewPool(BH, 4, 4), NewShare(Unlimited, false), &Worker{}
	require.Equal(t, 1, p.Width())
	require.False(t, p.Created(w, 0))
	require.Equal(t, 5000, p.Arrive(s, 5000), "no limit")
	o, ok := p.Offer(s)
	require.True(t, ok)
	require.Equal(t, Offer{Worker: w, Active: 1}, o)
	p.Lease(w, s, 1, 0)
	require.Zero(t, p.WorkersWanted())
	require.False(t, p.NeedTick())
	p.Blocks(w)
	require.Equal(t, 1, p.Running())
	_, ok = p.Offer(s)
	require.False(t, ok)
	require.NoError(t, p.Verify(s))
	require.False(t, p.Done(w, Report{Ran: 1, Busy: time.Microsecond}))
	o, ok = p.Offer(s)
	require.True(t, ok)
	require.Equal(t, Offer{Worker: w, Active: 100}, o, "short items come in runs")
	require.NoError(t, p.Verify(s))
}
