package policy

import "time"

// clock is what a pool knows of a worker by the CPU clock of its thread. Only pinned
// workers have a thread of their own; time on a CPU is exact then, and so is whether the
// worker sleeps: nothing has to be stretched or assumed.
type clock struct {
	known  bool          // P: the worker is pinned
	asleep bool          // P: its thread neither has a CPU nor waits for one
	at     uint64        // P: lease and position that from is of,
	since  time.Duration // P: and since when the worker was there
	from   time.Duration // P: on the clock when it came to its present item, as far as known
	ran    time.Duration // P: of that item
}

// Clock tells what the CPU clock of a pinned worker's thread was when its lease began, and
// is now, and whether the thread sleeps. It follows Observe.
func (w *Worker) Clock(began, now time.Duration, asleep bool) {
	c := &w.clock
	c.known, c.asleep = true, asleep
	if c.at != w.seen || c.since != w.since {
		c.at, c.since, c.from = w.seen, w.since, now
		if w.taken == 1 && !w.awoke {
			c.from = began
		}
	}
	c.ran = now - c.from
}

// hogging gives the counted worker that has had a CPU for the longest, if that is at
// least the threshold by its thread's clock, or for others at least wall by the wall's.
func (p *Pool) hogging(now, wall, threshold time.Duration) (best *Worker) {
	var most time.Duration
	for _, w := range p.counted {
		d, least := now-w.since, wall
		if w.clock.known {
			d, least = w.clock.ran, threshold
		}
		if w.started && d >= least && (best == nil || d > most) {
			best, most = w, d
		}
	}
	return best
}

// sleeper is longest, but for pinned workers that are known to be awake.
func (p *Pool) sleeper(now, d time.Duration) (best *Worker) {
	for _, w := range p.counted {
		if w.clock.known && !w.clock.asleep {
			continue
		}
		if w.started && now-w.since >= d && (best == nil || w.since < best.since) {
			best = w
		}
	}
	return best
}
