package policy

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// down gives a per-CPU pool with three workers, of which the first has leased an
// item and runs it.
func busyPool(t *testing.T) (*Pool, *Share, []*Worker) {
	t.Helper()
	p, s := NewPool(PerCPU, 1, 1), NewShare(MaxActiveDefault, false)
	workers := []*Worker{{ID: 1}, {ID: 2}, {ID: 3}}
	for _, w := range workers {
		p.Created(w, 0)
	}
	p.Arrive(s, 1)
	return p, s, workers
}

func start(t *testing.T, p *Pool, s *Share) *Worker {
	t.Helper()
	o, ok := p.Offer(s)
	require.True(t, ok)
	p.Lease(o.Worker, s, 1, 0)
	return o.Worker
}

// Row 107: what waits on a CPU that goes down starts, nothing counts, and workers
// count again from their next lease.
func TestDownAndUp(t *testing.T) {
	t.Parallel()
	p, s, _ := busyPool(t)
	first := start(t, p, s)
	p.Arrive(s, 2)
	require.False(t, p.NeedMoreWorker(), "one runs")
	require.Equal(t, []*Worker{first}, p.Disassociate())
	require.Zero(t, p.Running())
	second := start(t, p, s)
	require.Zero(t, p.Running())
	third := start(t, p, s)
	require.NoError(t, p.Verify(s))

	p.Blocks(second)
	p.Rebind()
	p.Wakes(second)
	require.Zero(t, p.Running(), "it began its lease before")
	p.Arrive(s, 2)
	p.Done(third, Report{Ran: 1, End: time.Millisecond})
	require.Same(t, third, start(t, p, s))
	require.Equal(t, 1, p.Running(), "managed again")
	require.False(t, p.NeedMoreWorker())
	for _, w := range []*Worker{first, second, third} {
		p.Done(w, Report{Ran: 1, End: time.Millisecond})
	}
	require.Zero(t, p.Running())
	require.NoError(t, p.Verify(s))
}

// Report R13: a worker that is asleep, or goes to sleep, while its CPU goes down or
// up never leaves the count wrong.
func TestSleepersDoNotMissADown(t *testing.T) {
	t.Parallel()
	steps := map[string]func(*Pool, *Worker){
		"blocks": func(p *Pool, w *Worker) { p.Blocks(w) },
		"wakes":  func(p *Pool, w *Worker) { p.Wakes(w) },
		"down":   func(p *Pool, _ *Worker) { p.Disassociate() },
		"up":     func(p *Pool, _ *Worker) { p.Rebind() },
	}
	var try func(left int, done []string)
	try = func(left int, done []string) {
		p, s, _ := busyPool(t)
		w := start(t, p, s)
		for _, name := range done {
			steps[name](p, w)
			require.NoError(t, p.verifyStep([]*Share{s}).err, "%v", done)
		}
		p.Done(w, Report{Ran: 1})
		require.Zero(t, p.Running(), "%v", done)
		for name := range steps {
			if left > 0 {
				try(left-1, append(slices.Clip(done), name))
			}
		}
	}
	try(5, nil)
}
