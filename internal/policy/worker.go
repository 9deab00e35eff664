package policy

import "time"

// Worker is what a pool knows of one of its workers. A worker is at any time
// idle, or holds a lease; while it holds one it is counted, or out of the count
// for one of six reasons: it sleeps, it is a declared hog, it is assumed asleep, its
// queue is CPU-intensive, its CPU is down or was when the lease began, or it is a
// rescuer.
type Worker struct {
	ID int // I: unique in its pool

	share     *Share // P: of its lease; nil while idle
	chain     *Chain // P: of its lease's key, nil if it has none
	slots     int    // P: active slots the lease holds
	coupled   int    // P: items of its train; 0 if its lease is of one share
	counted   bool   // P: in running
	sleeping  bool   // P: between Sleeping and Running
	hog       bool   // P: declared CPU-intensive until its lease ends
	assumed   bool   // P: assumed asleep until its lease ends
	intensive bool   // P: its queue is CPU-intensive
	rescuer   bool   // P: never counts, is never idle
	aside     bool   // P: out of the count, since its lease was taken back whole, until that ends
	awoke     bool   // P: it has slept in this lease: the lease's stamp is too old a clock
	era       int    // P: of the pool, when the lease began
	slot      int    // P: index in the pool's counted list

	idleAt time.Duration // P: when it went idle
	expect time.Duration // P: how long its train should take
	paid   time.Duration // P: of the time of its train, what was counted out

	// What the last look at its lease saw.
	taken, end int           // P: items taken, items in the lease
	seen       uint64        // P: lease and position at the last look
	since      time.Duration // P: on its present item since, as far as known
	started    bool          // P: it has taken an item of this lease
	startAt    time.Duration // P: when its first item was taken, as far as known

	clock clock // P: of its thread, if it is pinned
}

// Share is the share of the worker's lease, nil while it is idle.
func (w *Worker) Share() *Share { return w.share }

// Counted says whether the worker counts as running.
func (w *Worker) Counted() bool { return w.counted }

// Sleeping says whether the worker said that it blocks.
func (w *Worker) Sleeping() bool { return w.sleeping }

// Observe tells what a look at the worker's lease saw: the lease's number, how
// many of its items were taken, how many it has, and its start stamp (0: no
// item taken yet). A worker that was granted a lease and has not started is
// runnable, never stuck.
func (w *Worker) Observe(lease uint64, taken, end int, start, now time.Duration) {
	pos := lease<<16 | uint64(taken)
	w.taken, w.end, w.started = taken, end, taken > 0
	if pos != w.seen {
		if w.seen>>16 != lease {
			w.startAt = now
		}
		w.seen, w.since = pos, now
		if taken == 1 && start > 0 && !w.awoke {
			w.since = start // its first item: clocked from the lease's own stamp
		}
	}
	if start > 0 {
		w.startAt = start
	}
}

// hasTail says whether the lease has items behind the running one, or behind the
// first if none was taken yet.
func (w *Worker) hasTail() bool { return max(w.taken, 1) < w.end }
