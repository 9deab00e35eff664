package system

import "github.com/gammazero/workerpool"

func gammazero() System {
	return System{
		Name: "workerpool", Setup: "workerpool.New(limit); Submit", Queues: true,
		Make: func(s Setup) (Executor, error) { return wpExecutor{workerpool.New(s.Limit)}, nil },
	}
}

type wpExecutor struct{ p *workerpool.WorkerPool }

func (e wpExecutor) Producer(task func()) func() {
	return func() { e.p.Submit(task) }
}

func (e wpExecutor) Submit(body func(int), i int) {
	e.p.Submit(func() { body(i) })
}

func (e wpExecutor) Close() { e.p.StopWait() }
