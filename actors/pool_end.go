package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/messages"
)

type (
	// endPool: no share uses the pool any more. It refuses items, and runs or
	// passes on what came too late.
	endPool struct{}
	// poolEmpty: it has nothing left, and may be stopped.
	poolEmpty struct {
		messages.Quiet
		pool *pool
	}
)

// end frees the pool's number before the pool says so: askers who still find its
// number in an item look again.
func (p *pool) end() {
	p.ending, p.ended = false, true
	places.free(p.id)
	p.sys.pools.Add(-1)
	p.ctx.Send(p.sys.root, &poolEmpty{pool: p})
}

// unhold gives the number of a stopped pool free when the last item that ran then
// has ended: until then its state names the pool.
func (p *pool) unhold() {
	if p.named.Add(-1) == 0 {
		places.remove(p.id)
	}
}

// poolEmpty stops a pool, unless all are about to be stopped: who is told twice may
// have gone in between, and that is a dead letter.
func (a *systemActor) poolEmpty(ctx actor.Context, p *pool) {
	delete(a.ending, p)
	if !a.sys.ended.Load() {
		a.leaving[p.pid.Id] = true
		ctx.Stop(p.pid)
	}
}

// settle answers when every pool that was stopped is gone.
func (a *systemActor) settle() {
	if len(a.leaving) > 0 {
		return
	}
	for _, ready := range a.settling {
		close(ready)
	}
	a.settling = nil
}
