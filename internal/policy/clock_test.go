package policy

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const ms = time.Millisecond

// clocked gives a per-CPU pool whose worker has been on an item since 0, and another item
// waits.
func clocked(t *testing.T) (*Pool, *Share, *Worker) {
	t.Helper()
	p, s, _ := busyPool(t)
	w := start(t, p, s)
	p.Arrive(s, 1)
	return p, s, w
}

// look is what a tick does.
func look(p *Pool, w *Worker, now, began, clock time.Duration, asleep bool, g Gauges) Ticked {
	w.Observe(1, 1, 1, 1, now)
	w.Clock(began, clock, asleep)
	return p.Tick(now, g, 10*ms)
}

// A pinned worker that others keep from its CPU is no hog, however long that takes; one
// that has had it for the threshold is, however many goroutines wait.
func TestHogsByTheClockOfTheThread(t *testing.T) {
	t.Parallel()
	p, _, w := clocked(t)
	crowd := Gauges{Running: 2, Runnable: 20, Procs: 2, Valid: true}
	require.Zero(t, look(p, w, 500*ms, 100*ms, 109*ms, false, crowd).Hogs, "9 ms of 500")
	require.Equal(t, 1, look(p, w, 501*ms, 100*ms, 110*ms, false, crowd).Hogs)
	require.Zero(t, p.Running())
}

// After a sleep the clock starts anew, and so it does with each item.
func TestTheClockStartsAnew(t *testing.T) {
	t.Parallel()
	p, s, w := clocked(t)
	require.Zero(t, look(p, w, 9*ms, 0, 9*ms, false, Gauges{}).Hogs)
	p.Blocks(w)
	p.Wakes(w)
	require.Zero(t, look(p, w, 15*ms, 0, 15*ms, false, Gauges{}).Hogs, "nothing since it woke")
	require.Zero(t, look(p, w, 24*ms, 0, 24*ms, false, Gauges{}).Hogs)
	require.Equal(t, 1, look(p, w, 25*ms, 0, 25*ms, false, Gauges{}).Hogs)
	p.Done(w, Report{Ran: 1, End: 26 * ms})

	w = start(t, p, s)
	p.Arrive(s, 1)
	w.Observe(2, 1, 2, 26*ms, 35*ms)
	w.Clock(26*ms, 35*ms, false)
	require.Zero(t, p.Tick(35*ms, Gauges{}, 10*ms).Hogs)
	w.Observe(2, 2, 2, 26*ms, 40*ms)
	w.Clock(26*ms, 40*ms, false)
	require.Zero(t, p.Tick(40*ms, Gauges{}, 10*ms).Hogs, "the second of the lease is new")
	w.Observe(2, 2, 2, 26*ms, 51*ms)
	w.Clock(26*ms, 50*ms, false)
	require.Equal(t, 1, p.Tick(51*ms, Gauges{}, 10*ms).Hogs)
}

// With CPUs to spare a worker that stays on an item is assumed asleep: a pinned one only
// if its thread is.
func TestAPinnedWorkerIsNotAssumedAsleep(t *testing.T) {
	t.Parallel()
	spare := Gauges{Running: 0, Procs: 4, Valid: true}
	p, _, w := clocked(t)
	require.Zero(t, look(p, w, 500*ms, 0, 1*ms, false, spare).Asleep, "starved")
	require.Equal(t, 1, p.Running())
	require.Equal(t, 1, look(p, w, 501*ms, 0, 1*ms, true, spare).Asleep)
	require.Zero(t, p.Running())
}
