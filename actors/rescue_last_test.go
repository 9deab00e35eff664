package actors

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A rescuer has a lease that was taken back whole before it looked at it, and its queue
// ends: the lease is reported done all the same, or the pool would never be empty.
func TestRescuerEndsWithALeaseThatItNeverSaw(t *testing.T) {
	f := &famine{}
	bubble(t, 1, f.set, func(t *testing.T, sys *System) {
		sleepers := newTestQueue(t, sys, "sleepers", QueueOptions{Kind: PerCPU})
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU, MemReclaim: true})
		synctest.Wait()
		f.on.Store(true)
		sleeper, open := newHeld()
		sleeper.on(t, sleepers)
		<-sleeper.entered
		box := &q.rescuer.w.box
		box.running.Store(true) // its goroutine is somewhere else
		newJob(nil).on(t, q)
		time.Sleep(15 * time.Millisecond)
		require.NotNil(t, box.lease.Load(), "the rescuer was called")
		close(open) // the worker comes back, and takes what the rescuer has not begun
		synctest.Wait()
		destroyed := make(chan error, 1)
		go func() { destroyed <- q.Destroy(t.Context()) }()
		synctest.Wait()
		go box.run()
		require.NoError(t, <-destroyed)
		synctest.Wait()
		p := q.table.Load().shares[0].pool
		require.Empty(t, p.leased)
		require.Zero(t, p.pol.Rescuers())
	})
}
