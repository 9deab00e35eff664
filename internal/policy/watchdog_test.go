package policy

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const threshold = 30 * time.Second

func TestStalled(t *testing.T) {
	t.Parallel()
	p, s, w := NewPool(PerCPU, 1, 1), NewShare(MaxActiveDefault, false), &Worker{}
	p.Created(w, 0)
	arrive := func(n int) {
		p.Arrive(s, n)
		if o, ok := p.Offer(s); ok {
			p.Lease(o.Worker, s, 1, 0)
		}
	}
	look := func(at, touched time.Duration) time.Duration {
		d, stalled := p.Stalled(at, threshold, touched)
		if !stalled {
			return -1
		}
		return d
	}
	require.EqualValues(t, -1, look(time.Hour, 0), "nothing waits")
	arrive(1)
	require.EqualValues(t, -1, look(2*time.Hour, 0), "a long item alone is no stall")
	at := 2 * time.Hour
	p.Arrive(s, 2)
	require.EqualValues(t, -1, look(at, 0), "it came right before the look, long after the last progress")
	require.EqualValues(t, -1, look(at+threshold-1, 0))
	require.Equal(t, threshold, look(at+threshold, 0))
	require.Equal(t, 2*threshold, look(at+2*threshold, 0), "again and again")
	require.EqualValues(t, -1, look(at+3*threshold, at+3*threshold-1), "touched")
	require.Equal(t, 4*threshold, look(at+4*threshold, at+3*threshold-1), "and not since")
	p.Done(w, Report{Ran: 1})
	p.Lease(w, s, 1, 0)
	require.EqualValues(t, -1, look(at+5*threshold, 0), "a lease is progress")
	require.Equal(t, threshold, look(at+6*threshold, 0), "one more waits behind it")
	p.Withdraw(s, true)
	require.EqualValues(t, -1, look(at+9*threshold, 0), "nothing waits any more")
}

// The slow model keeps a stamp of every progress: what is reported has waited
// without any for the threshold, and nothing goes unreported for two looks.
func TestStalledAgreesWithStamps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, s, w := NewPool(PerCPU, 1, 1), NewShare(MaxActiveDefault, false), &Worker{}
		p.Created(w, 0)
		var now, progress, look time.Duration
		var silent int // looks at a pool that stalled, without a report
		busy := false
		start := func() {
			if o, ok := p.Offer(s); ok {
				p.Lease(o.Worker, s, 1, 0)
				busy, progress, silent = true, now, 0
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"": func(t *rapid.T) { require.NoError(t, p.Verify(s)) },
			"arrive": func(t *rapid.T) {
				if p.Waiting() == 0 {
					progress, silent = now, 0
				}
				p.Arrive(s, 1)
				start()
			},
			"done": func(t *rapid.T) {
				if busy {
					p.Done(w, Report{Ran: 1})
					busy = false
					start()
				}
			},
			"look": func(t *rapid.T) {
				now = max(now, look+threshold)
				look = now
				d, stalled := p.Stalled(now, threshold, 0)
				really := now - progress
				if stalled {
					require.NotZero(t, p.Waiting())
					require.LessOrEqual(t, d, really)
					require.GreaterOrEqual(t, d, threshold)
				}
				if p.Waiting() > 0 && really >= threshold && !stalled {
					silent++
				} else {
					silent = 0
				}
				require.Less(t, silent, 2)
			},
			"later": func(t *rapid.T) { now += time.Duration(rapid.IntRange(1, 40).Draw(t, "s")) * time.Second },
		})
	})
}

func TestHogReports(t *testing.T) {
	t.Parallel()
	for threshold, want := range map[int][]int{
		4: {4, 5, 7, 11, 19, 35, 67, 131}, 1: {1, 2, 4, 8, 16, 32, 64, 128}, 2: {2, 3, 5, 9, 17, 33, 65, 129}, 0: nil,
	} {
		h := NewHogReports(threshold)
		var got []int
		for range 135 {
			if n, report := h.Violation(7); report {
				got = append(got, n)
			}
		}
		require.Equal(t, want, got, "threshold %d", threshold)
	}
}

// There is room for 128 functions; those that come later are never reported.
func TestHogReportsAreOfFewFunctions(t *testing.T) {
	t.Parallel()
	h := NewHogReports(1)
	for f := range uintptr(128) {
		n, report := h.Violation(f)
		require.Equal(t, 1, n)
		require.True(t, report)
	}
	for range 10 {
		_, report := h.Violation(128)
		require.False(t, report)
	}
	n, report := h.Violation(127)
	require.Equal(t, 2, n)
	require.True(t, report)
}
