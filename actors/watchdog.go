package actors

import (
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq/messages"
)

// watchdog looks at the pools where work waits, once a period: all with one timer,
// and only while there are such. A pool is listed when work begins to wait, and at
// its look stays listed if some still does; so a pool that is idle costs nothing,
// and a busy one a message a period.
type watchdog struct {
	period  time.Duration        // I: also the threshold; not positive: off
	timer   *time.Timer          // I:
	armed   atomic.Bool          // A:
	waiting atomic.Pointer[pool] // A: pools to look at, linked by watch.next
	touched atomic.Int64         // A: the system's time of the last touch
	scans   atomic.Uint64        // A: how often it has fired
}

// poolWatch is what a pool has for it.
type poolWatch struct {
	on   bool             // P: the watchdog will look
	node messages.Control // A: of the look
	next *pool            // watchdog: the next pool to look at
}

type watchMsg struct{}

func newWatchdog(period time.Duration) *watchdog {
	d := &watchdog{period: period}
	d.timer = time.AfterFunc(time.Hour, d.fire)
	d.timer.Stop()
	return d
}

// watch sees to it that the pool is looked at within a period, once.
func (d *watchdog) watch(p *pool) {
	for {
		p.watch.next = d.waiting.Load()
		if d.waiting.CompareAndSwap(p.watch.next, p) {
			break
		}
	}
	if !d.armed.Load() && !d.armed.Swap(true) {
		d.timer.Reset(d.period)
	}
}

func (d *watchdog) fire() {
	d.scans.Add(1)
	d.armed.Store(false) // before the list is read: who comes later arms again
	for p := d.waiting.Swap(nil); p != nil; {
		next := p.watch.next // before the pool can be listed again
		p.mb.postOnce(&p.watch.node)
		p = next
	}
}

// watched begins to watch a pool where work waits.
func (p *pool) watched() {
	p.watch.on = true
	if p.sys.dog.period > 0 {
		p.pol.Watch(p.sys.now())
		p.sys.dog.watch(p)
	}
}

// onWatch is the watchdog's look.
func (p *pool) onWatch() {
	p.watch.node.Queued.Store(false)
	if p.pol.Waiting() == 0 {
		p.watch.on = false
		return
	}
	dog := p.sys.dog
	d, stalled := p.pol.Stalled(p.sys.now(), dog.period, time.Duration(dog.touched.Load()))
	if stalled {
		p.ctx.Send(p.sys.root, &stallReport{d, p, &p.snapshot().PoolSnapshot, p.executing(), dog.scans.Load()})
	}
	dog.watch(p)
}

// TouchWatchdog counts as progress of every pool: no stall is reported for a
// period.
func (s *System) TouchWatchdog() { s.dog.touched.Store(int64(s.now())) }
