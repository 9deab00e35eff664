package actors

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// observers are who is told of events, in this order; nil: nobody. Whoever has something
// to tell asks first whether anybody wants it, which is all that it costs then.
type observers struct {
	sys   *System             // I:
	kinds messages.EventKinds // I: that any of them wants
	all   []*observer         // I:
}

type observer struct {
	to    messages.Observer   // I:
	kinds messages.EventKinds // I:
	out   atomic.Bool         // A: it has panicked
}

func newObservers(s *System, all []messages.Observer) *observers {
	o := &observers{sys: s}
	for _, to := range all {
		kinds := messages.AllEvents
		if c, ok := to.(messages.Choosy); ok {
			kinds &= c.Kinds()
		}
		if kinds != 0 {
			o.kinds |= kinds
			o.all = append(o.all, &observer{to: to, kinds: kinds})
		}
	}
	if len(o.all) == 0 {
		return nil
	}
	return o
}

// want says whether anybody wants to know of such an event.
func (o *observers) want(k messages.EventKind) bool { return o != nil && o.kinds.Has(k) }

// wantAny says whether anybody wants to know of one of them.
func (o *observers) wantAny(kinds messages.EventKinds) bool { return o != nil && o.kinds&kinds != 0 }

// tell tells those who want it, on the goroutine of the caller.
func (o *observers) tell(k messages.EventKind, at time.Duration, e *messages.Event) {
	e.Kind, e.At = k, o.sys.base.Add(at)
	for _, x := range o.all {
		if x.kinds.Has(k) && !x.out.Load() {
			o.call(x, e)
		}
	}
}

// call contains a panic of an observer, which is told nothing more: it may be in a state
// that it was not made for.
func (o *observers) call(x *observer, e *messages.Event) {
	defer func() {
		if v := recover(); v != nil && !x.out.Swap(true) {
			o.sys.as.Root.Send(o.sys.root, &observerFailed{who: fmt.Sprintf("%T", x.to), value: v, stack: string(debug.Stack())})
		}
	}()
	x.to.Observe(*e)
}

// observerFailed has the system's actor log it: a logger may block, which a turn may not.
type observerFailed struct {
	messages.Quiet
	who   string
	value any
	stack string
}

// What the engine looks for once, so as not to look for it with each item.
const (
	executions = 1<<messages.EventActivate | 1<<messages.EventStart | 1<<messages.EventEnd
	stamped    = executions | 1<<messages.EventQueue
)

// observe readies a queue for its observers.
func (q *Queue) observe() {
	q.stamps = q.opts.Limits.Wait > 0 || q.sys.obs.wantAny(stamped)
	if q.metered = q.sys.opts.Monitor; q.metered {
		b := q.bound
		q.stamps = q.stamps || b != nil && b.full == policy.DropOldest
		q.samples = !q.stamps
	}
	q.notes = q.stamps || q.samples
	q.skip.Store(policy.Skips(0))
	q.watched = q.sys.obs.wantAny(executions)
}

// introduce readies a pool for them.
func (p *pool) introduce() {
	if p.obs, p.label = p.sys.obs, p.name; p.high {
		p.label += "H"
	}
}
