package policy

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The kernel's need_more_worker, keep_working, may_start_working and
// need_to_create_worker, with a width in the place of its 1.
func TestPredicates(t *testing.T) {
	t.Parallel()
	for _, width := range []int{1, 4} {
		for waiting := range 2 {
			for running := range width + 3 {
				for idle := range 2 {
					p := NewPool(Managed, width, width)
					p.waiting, p.running, p.idle = waiting, running, make([]*Worker, idle)
					work := waiting > 0
					require.Equal(t, work && running < width, p.NeedMoreWorker())
					require.Equal(t, work && running <= width, p.KeepWorking())
					require.Equal(t, idle > 0, p.MayStartWorking())
					require.Equal(t, work && running < width && idle == 0, p.NeedToCreateWorker())
				}
			}
		}
	}
}

// A shell that found nothing to return may leave Return out before Blocks.
func TestBlocksFreesSlotsOfEndedItems(t *testing.T) {
	t.Parallel()
	p, s, w := leased(t, 5)
	p.Blocks(w)
	require.Equal(t, 1, s.Active())
	require.NoError(t, p.verifyStep([]*Share{s}).err)
}

// The tick is armed while work waits, and while a lease has items behind one that
// was started or could be.
func TestNeedTick(t *testing.T) {
	t.Parallel()
	p, s, w := leased(t, 2)
	require.True(t, p.NeedTick(), "a lease of several is out")
	w.Observe(1, 0, 2, 0, 1)
	p.Tick(time.Hour, Gauges{}, 0)
	require.True(t, p.NeedTick(), "and nobody has started it")
	w.Observe(1, 2, 2, 1, 1)
	p.Tick(time.Hour, Gauges{}, 0)
	require.False(t, p.NeedTick(), "its last item runs")
	p.Arrive(s, 1)
	require.True(t, p.NeedTick(), "work waits")

	p, _, w = leased(t, 2)
	p.Return(w, 1, 0)
	w.Observe(1, 0, 1, 0, 1)
	p.Withdraw(w.share, true)
	p.Tick(time.Hour, Gauges{}, 0)
	require.False(t, p.NeedTick(), "nothing is behind the one item of this lease")

	p, s, w = leased(t, 1)
	p.Arrive(s, 1)
	require.True(t, p.NeedTick(), "somebody runs")
	p.Blocks(w)
	require.False(t, p.NeedTick(), "nobody runs or could: there is nothing to look at")
	p.Created(&Worker{ID: 2}, 0)
	require.True(t, p.NeedTick(), "somebody could")
}

// Arrivals of half a millisecond share a stamp, so that a stream of them costs
// neither memory nor time.
func TestArrivalsShareMarks(t *testing.T) {
	t.Parallel()
	p, s := NewPool(Managed, 1, 1), NewShare(MaxActiveLimit, false)
	for us := range time.Duration(1000) {
		p.Arrive(s, 1)
		p.Aged(time.Second+us*time.Microsecond, 0)
	}
	require.Len(t, p.age.marks, 2)
	require.Equal(t, 999*time.Microsecond, p.age.oldest(time.Second+999*time.Microsecond))
}

// A pool that was not looking is told when its first item came.
func TestAgedKnowsWhenTheFirstItemCame(t *testing.T) {
	t.Parallel()
	p, s := NewPool(Managed, 1, 1), NewShare(1, false)
	p.Arrive(s, 1)
	p.Aged(10*time.Millisecond, 3*time.Millisecond)
	require.Equal(t, 7*time.Millisecond, p.age.oldest(10*time.Millisecond))
}

// leased gives a pool whose only worker holds a lease of n items.
func leased(t *testing.T, n int) (*Pool, *Share, *Worker) {
	t.Helper()
	p, s, w := NewPool(Managed, 1, 1), NewShare(MaxActiveDefault, false), &Worker{ID: 1}
	p.Created(w, 0)
	s.item = time.Microsecond
	p.Arrive(s, n)
	o, ok := p.Offer(s)
	require.True(t, ok)
	require.Equal(t, Offer{Worker: w, Active: n}, o)
	p.Lease(w, s, n, 0)
	return p, s, w
}
