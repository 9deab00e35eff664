package actors

import (
	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// drainPass is a drain in progress. A pass closes an epoch and waits for it; the
// drain ends when two passes in a row found every share without work and
// without an arrival between them: then there was a moment at which nothing was
// queued or running anywhere that could have queued more.
type drainPass struct {
	tries   int
	seen    map[int]messages.EpochEmpty // the last report of each share, by number
	arrived map[int]int64               // of each share at the last pass, by number; nil before the first
	ends    bool                        // the queue ends with it, whoever still waits for that
	rests   bool                        // no pass goes on
	disarms int                         // of the delayer, that have not been answered: no pass begins
	drains  []recipient
	destroy []recipient // answered when the queue has ended
}

// hears keeps what a share reports, if there is a drain.
func (d *drainPass) hears(m *messages.EpochEmpty) {
	if d != nil {
		d.seen[m.Share] = *m
	}
}

// forgets: a number is that of another share from now on.
func (d *drainPass) forgets(share int) {
	if d != nil {
		delete(d.seen, share)
	}
}

func (d *drainPass) release(err error) {
	for _, w := range append(d.drains, d.destroy...) {
		w.answer(err)
	}
}

// startDrain refuses work from outside and begins to pass: at once or, if the queue
// ends, when the delayer has nothing of it any more.
func (a *queueActor) startDrain(who recipient, flags uint32) {
	a.q.raise(flags)
	if a.drain == nil {
		a.drain = &drainPass{rests: true, seen: map[int]messages.EpochEmpty{}}
	}
	d := a.drain
	if flags&destroyed != 0 {
		first := !d.ends
		d.ends = true
		d.destroy = append(d.destroy, who)
		if first && a.q.sys.disarm(a.q, func(dropped []*messages.Item) { a.q.tell(&disarmed{items: dropped}) }) {
			d.disarms++
		}
	} else {
		d.drains = append(d.drains, who)
	}
	a.pass()
}

// disarmed is the delayer's answer: it has dropped these armed items of the queue, and
// whatever it queued before is at its pool.
type disarmed struct {
	messages.Quiet
	items []*messages.Item
}

func (a *queueActor) onDisarmed(m *disarmed) {
	a.q.warnDisarmed(len(m.items))
	a.lost(m.items)
	if s := a.shutdown; s.abandons() {
		s.answers--
		a.endAbandon()
	}
	if d := a.drain; d != nil {
		d.disarms--
		d.arrived = nil // what it queued may have come after the last look
		a.pass()
	}
}

// pass begins a pass, unless one goes on or has to wait.
func (a *queueActor) pass() {
	if d := a.drain; d.rests && d.disarms == 0 {
		d.rests = false
		a.closeEpoch(recipient{}, nil)
	}
}

// endPass looks at what the shares reported in a pass.
func (a *queueActor) endPass() {
	d := a.drain
	if d == nil {
		return
	}
	d.rests = true
	d.tries++
	clean := d.arrived != nil
	arrived, left := make(map[int]int64, len(a.shares)), false
	for _, sh := range a.shares {
		i, s := sh.id, d.seen[sh.id]
		arrived[i] = s.Arrived
		left = left || s.Left > 0
		if s.Left > 0 || d.arrived != nil && d.arrived[i] != s.Arrived {
			clean = false
		}
	}
	if d.arrived = arrived; left {
		d.arrived = nil // what is left may queue more, on a share that reported already
	}
	if !clean || d.disarms > 0 {
		if policy.DrainWarns(d.tries) {
			a.q.sys.log.Warn("drain finds work again and again", "queue", a.q.name, "passes", d.tries)
		}
		a.pass()
		return
	}
	a.drain = nil
	if !d.ends {
		a.q.flags.And(^uint32(draining))
		d.release(nil)
		return
	}
	a.ending().waiters = d.destroy
	for _, w := range d.drains {
		w.answer(nil)
	}
	a.finish(messages.ErrDestroyed)
}

// unsettleDrain: shares came or went, and what two passes report of them cannot
// be compared.
func (a *queueActor) unsettleDrain() {
	if a.drain != nil {
		a.drain.arrived = nil
	}
}
