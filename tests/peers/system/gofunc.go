package system

import (
	"sync"
	"time"
)

func goFunc() System {
	return System{
		Name: "go func", Setup: "a goroutine a task: the runtime's scheduler is the only limit", Queues: true, Unlimited: true,
		Make:    func(Setup) (Executor, error) { return goExecutor{new(sync.WaitGroup)}, nil },
		Results: func(int) (Results, error) { return goResults{}, nil },
	}
}

type goExecutor struct{ all *sync.WaitGroup }

func (e goExecutor) Producer(task func()) func() {
	return func() { e.all.Go(task) }
}

func (e goExecutor) Submit(body func(int), i int) {
	e.all.Go(func() { body(i) })
}

func (e goExecutor) Close() { e.all.Wait() }

type goResults struct{}

func (goResults) Producer(f func() int) func() Result {
	return func() Result {
		r := make(reply, 1)
		go func() { r <- f() }()
		return r
	}
}

func (goResults) Close() {}

func afterFunc() System {
	return System{
		Name: "time.AfterFunc", Setup: "a runtime timer a task, which starts a goroutine when it is due",
		Timers: func() (Timers, error) { return runtimeTimers{}, nil },
	}
}

type runtimeTimers struct{}

func (runtimeTimers) Arm(d time.Duration, body func(int), i int) Timer {
	return time.AfterFunc(d, func() { body(i) })
}

func (runtimeTimers) Stop(t Timer) bool { return t.(*time.Timer).Stop() }

func (runtimeTimers) Reset(t Timer, d time.Duration) bool { return t.(*time.Timer).Reset(d) }

func (runtimeTimers) Close() {}
