package torture

import (
	"errors"
	"math/rand/v2"
	"time"

	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/topology"
)

// live are operations that change what serves the queues, or look at all of it,
// while work flows.
var live = []op{
	{"SetAttrs", 3, func(w *world, r *rand.Rand) {
		ctx, cancel := hurry(r)
		defer cancel()
		w.check("SetAttrs", w.place(r).now.Load().SetAttrs(ctx, w.attrs(r)...), cmwq.ErrPerCPU, cmwq.ErrCreate)
	}},
	{"SetMinActive", 2, func(w *world, r *rand.Rand) {
		p := w.place(r)
		if kinds[p.kind].limited() {
			return // its limit would be one for each node
		}
		w.check("SetMinActive", p.now.Load().SetMinActive(r.IntN(4)), cmwq.ErrPerCPU, cmwq.ErrOrdered)
	}},
	{"SetOnline", 1, func(w *world, r *rand.Rand) {
		ctx, cancel := hurry(r)
		defer cancel()
		w.check("SetOnline", w.sys.SetOnline(ctx, w.some(r)), cmwq.ErrCreate)
	}},
	{"SetUnboundMask", 1, func(w *world, r *rand.Rand) {
		ctx, cancel := hurry(r)
		defer cancel()
		w.check("SetUnboundMask", w.sys.SetUnboundMask(ctx, w.some(r)), cmwq.ErrCreate)
	}},
	{"SetDefaultScope", 1, func(w *world, r *rand.Rand) {
		ctx, cancel := hurry(r)
		defer cancel()
		w.check("SetDefaultScope", w.sys.SetDefaultScope(ctx, scope(r, topology.ScopeDefault+1)), cmwq.ErrCreate)
	}},
	{"Fix", 2, func(w *world, r *rand.Rand) {
		p := w.place(r)
		if kinds[p.kind].limited() {
			return // what runs when the slots are divided anew is above the limit
		}
		w.check("Fix", p.now.Load().Fix(r.IntN(4), 1+r.IntN(20)), cmwq.ErrOrdered, cmwq.ErrBH, cmwq.ErrCreate)
	}},
	{"Unfix", 1, func(w *world, r *rand.Rand) {
		if p := w.place(r); kinds[p.kind].fixed == 0 {
			w.check("Unfix", p.now.Load().Unfix(), cmwq.ErrOrdered, cmwq.ErrBH)
		}
	}},
	{"TouchWatchdog", 1, func(w *world, _ *rand.Rand) { w.sys.TouchWatchdog() }},
	{"creation fails for a while", 1, func(w *world, r *rand.Rand) {
		if r.IntN(20) > 0 {
			return // a worker that cannot be made is not tried again for a second
		}
		what := &w.fault[r.IntN(len(makings))]
		what.Add(1)
		defer what.Add(-1)
		time.Sleep(micros(r, 30000)) // the others go on
	}},
}

// makings are what can fail to be made.
var makings = [...]string{"worker", "worker", "worker", "pool", "queue", "rescuer"}

var errFault = errors.New("none to be had")

// faults has creation fail while somebody wants it to.
func (w *world) faults(o *actors.Options) error {
	o.CreateFault = func(what, _ string) error {
		for i, name := range makings {
			if name == what && w.fault[i].Load() > 0 {
				return errFault
			}
		}
		return nil
	}
	return nil
}

// some gives a set of CPUs, at least one.
func (w *world) some(r *rand.Rand) cpuset.CPUSet {
	if r.IntN(4) == 0 {
		return w.sys.Topology().CPUs()
	}
	s := []int{r.IntN(w.cpus)}
	for c := range w.cpus {
		if r.IntN(2) == 0 {
			s = append(s, c)
		}
	}
	return cpuset.New(s...)
}

func scope(r *rand.Rand, from topology.Scope) topology.Scope {
	for {
		if s := from + topology.Scope(r.IntN(8)); s.Valid() {
			return s
		}
	}
}

// attrs are some of a queue's attributes.
func (w *world) attrs(r *rand.Rand) (opts options) {
	if r.IntN(2) == 0 {
		opts = append(opts, cmwq.CPUs(w.some(r)))
	}
	if r.IntN(2) == 0 {
		opts = append(opts, cmwq.Affinity(scope(r, topology.ScopeDefault), r.IntN(3) == 0))
	}
	if r.IntN(3) == 0 {
		opts = append(opts, cmwq.Nice(r.IntN(3)))
	}
	return opts
}
