package actors

import (
	"github.com/asynkron/protoactor-go/actor"
)

type (
	// endPool: no share uses the pool any more. It refuses items, and runs or
	// passes on what came too late.
	endPool struct{}
	// poolEmpty: it has nothing left, and may be stopped.
	poolEmpty struct{ pool *pool }
)

// end frees the pool's number before the pool says so: askers who still find its
// number in an item look again.
func (p *pool) end() {
	p.ending, p.ended = false, true
	places.free(p.id)
	p.sys.pools.Add(-1)
	p.ctx.Send(p.sys.root, &poolEmpty{p})
}

func (a *systemActor) poolEmpty(ctx actor.Context, p *pool) {
	delete(a.ending, p)
	ctx.Stop(p.pid)
}
