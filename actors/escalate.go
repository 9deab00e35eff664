package actors

import (
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/messages"
)

// systemSupervisor decides about the children of the system's actor. What the engine
// fails with is a bug: the actor goes on, and it is told. What a queue escalates is
// decided as the options say.
type systemSupervisor struct {
	sys            *System
	engine, queues actor.SupervisorStrategy
}

func (s *System) supervisor() actor.SupervisorStrategy {
	queues := s.opts.Supervision
	if queues == nil {
		queues = actor.DefaultSupervisorStrategy()
	}
	return &systemSupervisor{s, actor.NewOneForOneStrategy(-1, 0, s.resume), queues}
}

// HandleFailure is protoactor's.
func (x *systemSupervisor) HandleFailure(as *actor.ActorSystem, by actor.Supervisor, child *actor.PID, rs *actor.RestartStatistics, reason, message any) {
	e, ok := reason.(*messages.EscalatedError)
	if !ok {
		x.engine.HandleFailure(as, by, child, rs, reason, message)
		return
	}
	x.sys.log.Warn("a queue escalates", slog.String("queue", e.Queue), slog.Int("attempt", e.Attempt), slog.Any("err", e.Err))
	x.queues.HandleFailure(as, topmost{by, child}, child, rs, reason, message)
}

// topmost is a supervisor above which there is nobody: a child that it would escalate
// is stopped.
type topmost struct {
	actor.Supervisor
	child *actor.PID
}

// EscalateFailure stops the child.
func (t topmost) EscalateFailure(any, any) { t.StopChildren(t.child) }
