package policy

import "time"

// WatchdogThreshold is how long work may wait without progress before the pool is
// reported; the kernel's value.
const WatchdogThreshold = 30 * time.Second

// watchdog is what a pool remembers for the stall watchdog. Progress is: work came
// onto an empty worklist, or a worker got a lease. It is counted, not stamped: a
// look stamps it when it finds that the count has moved.
type watchdog struct {
	progress uint64        // P:
	seen     uint64        // P: at the last look
	at       time.Duration // P: no progress since, as far as the looks know
}

// Watch begins to watch a pool where work waits.
func (p *Pool) Watch(now time.Duration) { p.dog.seen, p.dog.at = p.dog.progress, now }

// glance stamps the progress that was made since the last look. Ticks do it, too,
// so that where there are such Hung is right to a tick.
func (p *Pool) glance(now time.Duration) {
	if p.dog.seen != p.dog.progress {
		p.Watch(now)
	}
}

// Stalled says whether work has waited without any progress for the threshold, and
// for how long at least. A touch counts as progress, but does not shorten what is
// told. A long item with an empty worklist is no stall.
//
// Follows the kernel's wq_watchdog_timer_fn. It is a step of the pool's turn, so that
// it never sees an item without the progress that its arrival was.
func (p *Pool) Stalled(now, threshold, touched time.Duration) (d time.Duration, stalled bool) {
	p.glance(now)
	d = p.Hung(now)
	return d, d > 0 && d >= threshold && now-touched >= threshold
}

// Hung is for how long at least no progress was made while work waits; 0 if none
// waits, or if nobody has looked since the last progress.
func (p *Pool) Hung(now time.Duration) time.Duration {
	if p.waiting == 0 || p.dog.seen != p.dog.progress {
		return 0
	}
	return now - p.dog.at
}
