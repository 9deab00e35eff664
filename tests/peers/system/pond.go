package system

import "github.com/alitto/pond/v2"

func pondGo() System {
	return System{
		Name: "pond/v2 Go", Setup: "pond.NewPool(limit); Go, of which nobody waits for the end", Queues: true,
		Make: func(s Setup) (Executor, error) { return pondExecutor{pond.NewPool(s.Limit)}, nil },
	}
}

type pondExecutor struct{ p pond.Pool }

func (e pondExecutor) Producer(task func()) func() {
	return func() { must(e.p.Go(task)) }
}

func (e pondExecutor) Submit(body func(int), i int) {
	must(e.p.Go(func() { body(i) }))
}

func (e pondExecutor) Close() { e.p.StopAndWait() }

func pondSubmit() System {
	return System{
		Name: "pond/v2 Submit", Setup: "pond.NewPool(limit); Submit, which gives a Task; pond.NewResultPool[int](limit) for results", Queues: true,
		Make: func(s Setup) (Executor, error) {
			return pondTasks{pondExecutor{pond.NewPool(s.Limit)}}, nil
		},
		Results: func(limit int) (Results, error) { return pondResults{pond.NewResultPool[int](limit)}, nil },
	}
}

type pondTasks struct{ pondExecutor }

func (e pondTasks) Producer(task func()) func() {
	return func() { e.p.Submit(task) }
}

func (e pondTasks) Submit(body func(int), i int) {
	e.p.Submit(func() { body(i) })
}

type pondResults struct{ p pond.ResultPool[int] }

func (e pondResults) Producer(f func() int) func() Result {
	return func() Result { return e.p.Submit(f) }
}

func (e pondResults) Close() { e.p.StopAndWait() }
