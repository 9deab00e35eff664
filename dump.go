package cmwq

import (
	"context"
	"io"

	"github.com/cmwq/cmwq/messages"
)

type (
	// Snapshot is what a system's queues and pools are doing.
	Snapshot = messages.Snapshot
	// QueueSnapshot is one queue of a Snapshot, with its share of each pool.
	QueueSnapshot = messages.QueueSnapshot
	// ShareSnapshot is a queue's share of one pool: what is in flight, pending,
	// inactive, and who waits for it.
	ShareSnapshot = messages.ShareSnapshot
	// PoolSnapshot is a worker pool.
	PoolSnapshot = messages.PoolSnapshot
	// InFlight is an item that a worker runs, in a ShareSnapshot.
	InFlight = messages.InFlight
	// Stats are a queue's numbers: the columns of the kernel's wq_monitor, and more.
	Stats = messages.Stats
	// Distribution says how long something took, in quantiles.
	Distribution = messages.Distribution
	// Run is a number of items in a row that call the same function.
	Run = messages.Run
)

// Snapshot asks every pool what it does: items in flight, with their functions and
// seconds, what is pending and inactive, who waits, workers and their state. A pool
// answers in its next turn, whatever its items do. Of each list the first ten
// thousand items are looked at; that takes a pool up to 100 µs. It works while Stop
// waits, too; ErrStopped when the system is gone.
func (s *System) Snapshot(ctx context.Context) (*Snapshot, error) { return s.sys.Snapshot(ctx) }

// Dump writes a Snapshot's busy queues and pools as text, for people.
// (kernel: show_all_workqueues, sysrq-t)
func (s *System) Dump(ctx context.Context, w io.Writer) error {
	snap, err := s.sys.Snapshot(ctx)
	if err != nil {
		return err
	}
	_, err = snap.WriteTo(w)
	return err
}

// TouchWatchdog counts as progress of every pool: no stall is reported before
// another period of the watchdog has passed. An item that holds a pool up on
// purpose, for a while, calls it now and then. One atomic operation.
// (kernel: touch_all_softlockup_watchdogs)
func (s *System) TouchWatchdog() { s.sys.TouchWatchdog() }
