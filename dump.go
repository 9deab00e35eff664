package cmwq

import (
	"context"
	"io"
	"regexp"

	"github.com/cmwq/cmwq/messages"
)

type (
	// Snapshot is what a system's queues and pools are doing.
	Snapshot = messages.Snapshot
	// QueueSnapshot is one queue of a Snapshot, with its share of each pool.
	QueueSnapshot = messages.QueueSnapshot
	// LastFailure is a failure of late, in a QueueSnapshot.
	LastFailure = messages.LastFailure
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
	// Bucket is how many of a Distribution took about as long.
	Bucket = messages.Bucket
	// ScopeSnapshot is one way to divide the CPUs, PodSnapshot a group of them.
	ScopeSnapshot = messages.ScopeSnapshot
	// PodSnapshot is a group of CPUs, in a ScopeSnapshot.
	PodSnapshot = messages.PodSnapshot
	// NodeSnapshot is what a queue with MinActive has of a memory node.
	NodeSnapshot = messages.NodeSnapshot
	// RescuerSnapshot is the rescuer of a queue with MemReclaim.
	RescuerSnapshot = messages.RescuerSnapshot
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

// WriteSections writes how the system is laid out: scopes, pools, the pools of each
// queue by CPU, rescuers, limits. (kernel: wq_dump)
func (s *System) WriteSections(ctx context.Context, w io.Writer) error {
	snap, err := s.sys.Snapshot(ctx)
	if err != nil {
		return err
	}
	return snap.WriteSections(w)
}

// WriteMonitor writes the numbers of each queue whose name matches one of the filters,
// or of all, as a table: see Snapshot.WriteMonitor, which tells of the time between two
// snapshots, too. (kernel: wq_monitor)
func (s *System) WriteMonitor(ctx context.Context, w io.Writer, filters ...*regexp.Regexp) error {
	snap, err := s.sys.Snapshot(ctx)
	if err != nil {
		return err
	}
	return snap.WriteMonitor(w, nil, filters...)
}

// TouchWatchdog counts as progress of every pool: no stall is reported before
// another period of the watchdog has passed. An item that holds a pool up on
// purpose, for a while, calls it now and then. One atomic operation.
// (kernel: touch_all_softlockup_watchdogs)
func (s *System) TouchWatchdog() { s.sys.TouchWatchdog() }
