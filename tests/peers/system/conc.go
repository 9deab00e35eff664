package system

import "github.com/sourcegraph/conc/pool"

func concPool() System {
	return System{
		Name: "conc", Setup: "pool.New().WithMaxGoroutines(limit): Go waits for a free goroutine",
		Make: func(s Setup) (Executor, error) {
			return concExecutor{pool.New().WithMaxGoroutines(s.Limit)}, nil
		},
	}
}

type concExecutor struct{ p *pool.Pool }

func (e concExecutor) Producer(task func()) func() {
	return func() { e.p.Go(task) }
}

func (e concExecutor) Submit(body func(int), i int) {
	e.p.Go(func() { body(i) })
}

func (e concExecutor) Close() { e.p.Wait() }
