package actors

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/internal/policy"
)

// makeFor makes what a queue needs, or nothing: pools that did not exist before
// a failure do not exist after it. They have had no work: the queue is not known
// to anybody yet.
func (a *systemActor) makeFor(ctx actor.Context, q *Queue, attrs policy.Attrs) (by served, err error) {
	if err = a.sys.fault("queue", q.name); err == nil {
		by, err = a.serve(ctx, *q.opts, attrs, a.view)
	}
	if err == nil && q.opts.MemReclaim {
		q.rescuer, err = newRescuer(q)
	}
	if err == nil {
		return by, nil
	}
	a.unmake(q, by)
	return served{}, err
}

// unmake undoes what was made for a queue that will not be.
func (a *systemActor) unmake(q *Queue, by served) {
	a.release(by.pools)
	delete(a.queues, q)
	for _, p := range a.fresh {
		if p.refs == 0 && !a.ending[p] {
			a.endPool(p) // even that of a CPU
		}
	}
}

// describe tells pools apart before they have a number.
func (p *pool) describe(key poolKey) string {
	text := fmt.Sprintf("%v/%s", key.kind, key.pod)
	if key.high {
		text += "H"
	}
	return text
}
