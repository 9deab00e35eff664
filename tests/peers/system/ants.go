package system

import (
	"time"

	"github.com/panjf2000/ants/v2"
)

func antsPool() System {
	return System{
		Name: "ants/v2", Setup: "ants.NewPool(limit), options as they are by default: Submit waits for a free worker",
		Make: func(s Setup) (Executor, error) {
			p, err := ants.NewPool(s.Limit)
			return antsExecutor{p}, err
		},
	}
}

type antsExecutor struct{ p *ants.Pool }

func (e antsExecutor) Producer(task func()) func() {
	return func() { must(e.p.Submit(task)) }
}

func (e antsExecutor) Submit(body func(int), i int) {
	must(e.p.Submit(func() { body(i) }))
}

func (e antsExecutor) Close() { must(e.p.ReleaseTimeout(time.Minute)) }
