package actors

import (
	"math/rand/v2"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// With a monitor it is measured how long items wait and run. Their queuer stamps them,
// their worker looks at the stamp and keeps what it finds, until the pool reads its Done:
// nothing is shared, and nothing has to be forgotten of an item that is cancelled or
// moves. Which items are measured see policy.SkipTime.

// sample stamps an item whose next time may be measured: any, if the queue's are measured
// each time now, whatever was decided in a flood before. It is the caller's.
func (q *Queue) sample(it *messages.Item) {
	n := uint(q.rarity.Load())
	if n > 0 {
		if it.When == policy.SkipTime {
			return // decided, while the rarity changes
		}
		if decided, ok := policy.Taken(it.When); ok {
			n = decided
		} else if rand.Uint32()&(1<<n-1) != 0 {
			it.When = policy.SkipTime
			return
		}
	}
	it.When = policy.Stamp(q.sys.nanos(), n)
}

// sampleDue is that, of an item whose time has come: it waits from now on.
func (q *Queue) sampleDue(it *messages.Item) {
	if q.samples {
		it.When = policy.Stamp(q.sys.nanos(), 0)
	}
}

// mostSamples is how many items of a lease are measured.
const mostSamples = 256

// meter is what a worker has to measure with.
type meter struct {
	look   int  // W: which item of the lease it looks at, whatever its stamp
	seen   int  // W: which it looked at last
	left   int  // W: items from there until one is chosen
	rarity uint // W: 2^-n items are chosen
	open   bool // W: the last one measured runs

	got []measured // W before Done, P after
}

// measured is an item's time from queueing to start, and from start to end.
type measured struct {
	wait, run time.Duration // run: since when, while it runs
	n         uint
}

// measure looks at an item that begins, and whose owner the worker still is.
func (w *worker) measure(it *messages.Item) {
	m := &w.meter
	m.count(w.report.Ran)
	q := w.home.queue
	now := w.start
	if w.report.Ran > 1 && (m.open || it.When > 0) {
		now = w.pool.sys.now()
	}
	m.close(now)
	if it.When > 0 && len(m.got) < mostSamples {
		at, n := time.Duration(it.When), uint(0)
		if q.samples {
			at, n = policy.Stamped(it.When)
		}
		m.got = append(m.got, measured{max(0, now-at), now, n})
		m.open = true
	}
	if q.samples && it.Tries() == nil { // else it is when the item came for this execution
		it.When = m.next()
	}
	if m.look = m.seen + max(1, m.left); m.open {
		m.look = m.seen + 1 // to see when it ends
	}
}

// count counts the items of the lease up to one.
func (m *meter) count(ran int) {
	m.left -= ran - m.seen
	m.seen = ran
}

// beginMeter begins a lease.
func (m *meter) beginMeter() { m.seen, m.look = 0, max(1, m.left) }

// next decides about the next time of the item.
func (m *meter) next() int64 {
	if m.left > 0 {
		return policy.SkipTime
	}
	m.left = 1 + rand.IntN(2<<m.rarity-1)
	return policy.TakeTime(m.rarity)
}

// midway is how many items are left to one that is chosen, for who comes to them at any time:
// what was left of other steps would have the first chosen too soon, or too late, for what it
// counts for.
func midway(rarity uint) int {
	steps := 2<<rarity - 1 // from one to the next there are 1 to so many
	return 1 + min(rand.IntN(steps), rand.IntN(steps+1))
}

// close notes the end of the item that is measured.
func (m *meter) close(now time.Duration) {
	if m.open {
		x := &m.got[len(m.got)-1]
		x.run = now - x.run
		m.open = false
	}
}

// endMeter ends a lease, and says how often items are measured from now on.
func (w *worker) endMeter(now time.Duration) {
	m := &w.meter
	m.close(now)
	m.count(w.report.Ran)
	n := policy.NextRarity(m.rarity, w.report.Ran, now-w.start)
	if n != m.rarity {
		m.rarity, m.left = n, midway(n)
	}
	q := w.home.queue
	if all := uint(q.rarity.Load()); q.samples && (n+1 < all || all+1 < n || n == 0 && all != 0) {
		q.setRarity(uint32(n))
	}
}

// setRarity has the stamp that needs nothing follow: of two workers who change it, the one
// whose rarity is not the last may be the last to say so, and corrects that.
func (q *Queue) setRarity(n uint32) {
	for q.rarity.Store(n); ; n = q.rarity.Load() {
		q.skip.Store(policy.Skips(uint(n)))
		if q.rarity.Load() == n {
			return
		}
	}
}

// times are what a share knows of its items' times.
type times struct{ wait, run policy.Histogram }

// measured takes in what a worker has measured of a share's items.
func (p *pool) measured(w *worker) {
	rare := w.share.gets()
	if rare.times == nil {
		rare.times = &times{}
	}
	for _, x := range w.got {
		rare.times.wait.Record(x.wait, 1<<x.n)
		rare.times.run.Record(x.run, 1<<x.n)
	}
	if w.got = w.got[:0]; cap(w.got) > mostSamples/4 {
		w.got = nil // few leases need so much
	}
}

// clone gives a copy; nil of nil.
func (t *times) clone() *times {
	if t == nil {
		return nil
	}
	return &times{t.wait.Clone(), t.run.Clone()}
}

// with gives both together, of which neither changes.
func (t *times) with(o *times) *times {
	if t == nil || o == nil {
		if t == nil {
			t = o
		}
		return t
	}
	sum := t.clone()
	sum.wait.Merge(&o.wait)
	sum.run.Merge(&o.run)
	return sum
}
