package actors

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/messages"
)

// makeFor makes what a queue needs, or nothing: pools that did not exist before
// a failure do not exist after it. They have had no work: the queue is not known
// to anybody yet.
func (a *systemActor) makeFor(ctx actor.Context, q *Queue) (pools []*pool, route []uint16, err error) {
	a.fresh = a.fresh[:0]
	if err = a.sys.fault("queue", q.name); err == nil {
		pools, route, err = a.poolsFor(ctx, q.opts)
	}
	if err == nil && q.opts.MemReclaim {
		q.rescuer, err = newRescuer(q)
	}
	if err == nil {
		return pools, route, nil
	}
	q.cancel(messages.ErrStopped)
	for _, key := range a.fresh {
		p := a.pools[key]
		delete(a.pools, key)
		p.retired = true
		a.sys.pools.Add(-1)
		ctx.Stop(p.pid)
	}
	return nil, nil, err
}

// describe tells pools apart before they have a number.
func (p *pool) describe(key poolKey) string {
	text := fmt.Sprintf("%v/%d", key.kind, key.pod)
	if key.high {
		text += "H"
	}
	return text
}
