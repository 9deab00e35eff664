package observe

import "github.com/cmwq/cmwq"

// Only gives an observer that tells o of these kinds of event alone. What no observer of a
// system wants costs nothing: of the rare kinds, as Fail, Create and Mayday, a system can
// be told at no price that can be measured.
func Only(o cmwq.Observer, kinds ...cmwq.EventKind) cmwq.Observer {
	return &only{o, cmwq.KindsOf(kinds...) & wanted(o)}
}

// wanted are the kinds that an observer wants.
func wanted(o cmwq.Observer) cmwq.EventKinds {
	if c, ok := o.(cmwq.Choosy); ok {
		return c.Kinds()
	}
	return cmwq.AllEvents
}

type only struct {
	o     cmwq.Observer
	kinds cmwq.EventKinds
}

func (o *only) Kinds() cmwq.EventKinds { return o.kinds }

func (o *only) Observe(e cmwq.Event) {
	if o.kinds.Has(e.Kind) {
		o.o.Observe(e)
	}
}
