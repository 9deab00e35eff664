package torture

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// stage is the actors about a system.
type stage struct {
	as      *actor.ActorSystem
	gangs   []*gang // under world.mu
	parents []*parent
	hands   []*hand
	again   actor.SupervisorStrategy

	echo, mute, ear *actor.PID

	promised sync.Map // id of a result → *result
	tolls    []*toll  // under world.mu
	heard    map[uuid.UUID][]*cmwq.Done
}

func newStage() *stage {
	quiet := slog.New(slog.DiscardHandler)
	s := &stage{heard: map[uuid.UUID][]*cmwq.Done{}, again: actor.NewRestartingStrategy()}
	s.as = actor.NewActorSystem(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return quiet }),
		actor.WithDeadLetterThrottleInterval(time.Millisecond))
	return s
}

// raise starts the actors.
func (w *world) raise() {
	w.echo = w.as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		if n, ok := c.Message().(uint64); ok {
			c.Respond(n)
		}
	}))
	w.mute = w.as.Root.Spawn(actor.PropsFromFunc(func(actor.Context) {}))
	w.ear = w.as.Root.Spawn(actor.PropsFromFunc(w.listen))
	w.hire()
}

// lower ends them.
func (w *world) lower() {
	for _, p := range w.parents {
		p.stop()
	}
	for _, pid := range []*actor.PID{w.echo, w.mute, w.ear} {
		require.NoError(w.t, w.as.Root.PoisonFuture(pid).Wait())
	}
	w.as.Shutdown()
}

// directives are what becomes of queues that escalate: one after the other.
func (w *world) directives() actor.SupervisorStrategy {
	var n atomic.Uint64
	return actor.NewOneForOneStrategy(1<<30, time.Second, func(any) actor.Directive {
		return []actor.Directive{actor.ResumeDirective, actor.RestartDirective, actor.StopDirective, actor.RestartDirective}[n.Add(1)%4]
	})
}
