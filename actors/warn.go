package actors

import (
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"
)

// Warn logs what befalls a queue.
func (q *Queue) Warn(msg string, err error) {
	q.sys.log.Warn(msg, slog.String("queue", q.name), slog.Any("err", err))
}

// Send sends a message to an actor of the actor system.
func (s *System) Send(to *actor.PID, msg any) { s.as.Root.Send(to, msg) }
