package system

import (
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/scheduler"
)

func newActorSystem() *actor.ActorSystem {
	return actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.DiscardHandler)
	}))
}

// call is the behaviour of an actor whose messages are functions.
func call(c actor.Context) {
	switch f := c.Message().(type) {
	case func():
		f()
	case func() int:
		c.Respond(f())
	}
}

func oneActor() System {
	return System{
		Name: "protoactor actor", Setup: "one actor with the default mailbox and dispatcher; Root.Send, RequestFuture, TimerScheduler.SendOnce",
		Queues: true, Single: true,
		Make: func(Setup) (Executor, error) {
			sys := newActorSystem()
			return actorExecutor{sys, sys.Root.Spawn(actor.PropsFromFunc(call))}, nil
		},
		Results: func(int) (Results, error) {
			sys := newActorSystem()
			return actorResults{actorExecutor{sys, sys.Root.Spawn(actor.PropsFromFunc(call))}}, nil
		},
		Timers: func() (Timers, error) {
			sys := newActorSystem()
			e := actorExecutor{sys, sys.Root.Spawn(actor.PropsFromFunc(call))}
			return actorTimers{e, scheduler.NewTimerScheduler(sys.Root)}, nil
		},
	}
}

type actorExecutor struct {
	sys *actor.ActorSystem
	pid *actor.PID
}

func (e actorExecutor) Producer(task func()) func() {
	var msg any = task
	return func() { e.sys.Root.Send(e.pid, msg) }
}

func (e actorExecutor) Submit(body func(int), i int) {
	e.sys.Root.Send(e.pid, func() { body(i) })
}

func (e actorExecutor) Close() {
	_ = e.sys.Root.PoisonFuture(e.pid).Wait()
	e.sys.Shutdown()
}

type actorResults struct{ actorExecutor }

// answerTimeout is longer than any answer takes.
const answerTimeout = time.Minute

type answer struct{ f *actor.Future }

func (a answer) Wait() (int, error) {
	v, err := a.f.Result()
	n, _ := v.(int)
	return n, err
}

func (e actorResults) Producer(f func() int) func() Result {
	var msg any = f
	return func() Result { return answer{e.sys.Root.RequestFuture(e.pid, msg, answerTimeout)} }
}

type actorTimers struct {
	actorExecutor
	s *scheduler.TimerScheduler
}

// Arm gives no timer: what SendOnce gives can be cancelled, which ends a goroutine, but not
// moved.
func (e actorTimers) Arm(d time.Duration, body func(int), i int) Timer {
	e.s.SendOnce(d, e.pid, func() { body(i) })
	return nil
}

func (e actorTimers) Stop(Timer) bool { return false }

func (e actorTimers) Reset(Timer, time.Duration) bool { return false }
