package system

import (
	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/router"
)

// routerPool is protoactor's own pool of actors. Its package fails its own tests; a
// poison pill to the router ends it before its actors have read all they have, so
// that Close asks for the actors and ends each.
func routerPool() System {
	return System{
		Name: "protoactor router", Setup: "router.NewRoundRobinPool(limit); Root.Send to the router, which sends on to its actors. Its package fails its own tests in this version; stopped, it drops what its actors have not read, so they are stopped one by one", Queues: true,
		Make: func(s Setup) (Executor, error) {
			return newRouter(newActorSystem(), s.Limit), nil
		},
	}
}

type routerExecutor struct {
	actorExecutor
	limit int
}

func newRouter(sys *actor.ActorSystem, limit int) routerExecutor {
	pid := sys.Root.Spawn(router.NewRoundRobinPool(limit, actor.WithFunc(call)))
	return routerExecutor{actorExecutor{sys, pid}, limit}
}

// Queues gives n routers of one actor system.
func (e routerExecutor) Queues(n int) ([]Executor, error) {
	all := make([]Executor, n)
	for i := range all {
		all[i] = newRouter(e.sys, e.limit)
	}
	return all, nil
}

func (e routerExecutor) Close() {
	v, err := e.sys.Root.RequestFuture(e.pid, &router.GetRoutees{}, answerTimeout).Result()
	must(err)
	var ends []*actor.Future
	for _, pid := range v.(*router.Routees).PIDs {
		ends = append(ends, e.sys.Root.PoisonFuture(pid))
	}
	for _, end := range ends {
		_ = end.Wait()
	}
	e.actorExecutor.Close()
}
