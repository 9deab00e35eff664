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
	arrived []int64 // of each share at the last pass, nil before the first
	ends    bool    // the queue ends with it, whoever still waits for that
	drains  []chan<- error
	destroy []chan<- error
}

func (d *drainPass) release(err error) {
	for _, c := range append(d.drains, d.destroy...) {
		reply(c, err)
	}
}

// startDrain refuses work from outside and begins to pass.
func (a *queueActor) startDrain(done chan<- error, flags uint32) {
	a.q.flags.Or(flags)
	running := a.drain != nil
	if !running {
		a.drain = &drainPass{}
	}
	if flags&destroyed != 0 {
		// Armed items will not run; the delayer reports each.
		a.q.sys.disarm(a.q)
		a.drain.ends = true
		a.drain.destroy = append(a.drain.destroy, done)
	} else {
		a.drain.drains = append(a.drain.drains, done)
	}
	if !running {
		a.closeEpoch(nil)
	}
}

// endPass looks at what the shares reported in a pass.
func (a *queueActor) endPass() {
	d := a.drain
	if d == nil {
		return
	}
	d.tries++
	clean := d.arrived != nil
	arrived, left := make([]int64, len(a.seen)), false
	for _, sh := range a.byAge {
		i, s := sh.id, a.seen[sh.id]
		arrived[i] = s.Arrived
		left = left || s.Left > 0
		if s.Left > 0 || d.arrived != nil && d.arrived[i] != s.Arrived {
			clean = false
		}
	}
	if d.arrived = arrived; left {
		d.arrived = nil // what is left may queue more, on a share that reported already
	}
	if !clean {
		if policy.DrainWarns(d.tries) {
			a.q.sys.log.Warn("drain finds work again and again", "queue", a.q.name, "passes", d.tries)
		}
		a.closeEpoch(nil)
		return
	}
	a.drain = nil
	if !d.ends {
		a.q.flags.And(^uint32(draining))
		d.release(nil)
		return
	}
	a.q.flags.Or(finished)
	for _, s := range a.byAge {
		a.q.post(s, &messages.Detach{Share: s})
	}
	a.freeFixed()
	a.q.cancel(messages.ErrDestroyed)
	a.q.sys.forget(a.q)
	d.release(nil)
	a.ctx.Stop(a.ctx.Self())
}

// unsettleDrain: shares came or went, and what two passes report of them cannot
// be compared.
func (a *queueActor) unsettleDrain() {
	if a.drain != nil {
		a.drain.arrived = nil
	}
}
