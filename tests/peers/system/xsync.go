package system

import (
	"context"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

func errGroup() System {
	return System{
		Name: "errgroup", Setup: "errgroup.Group with SetLimit(limit): Go waits for a free place",
		Make: func(s Setup) (Executor, error) {
			g := new(errgroup.Group)
			g.SetLimit(s.Limit)
			return groupExecutor{g}, nil
		},
	}
}

type groupExecutor struct{ g *errgroup.Group }

func (e groupExecutor) Producer(task func()) func() {
	f := noError(task)
	return func() { e.g.Go(f) }
}

// noError is a task in the form that errgroup takes.
func noError(task func()) func() error {
	return func() error { task(); return nil }
}

func (e groupExecutor) Submit(body func(int), i int) {
	e.g.Go(func() error { body(i); return nil })
}

func (e groupExecutor) Close() { must(e.g.Wait()) }

func weighted() System {
	return System{
		Name: "semaphore", Setup: "x/sync/semaphore.NewWeighted(limit), acquired before and released by a goroutine a task",
		Make: func(s Setup) (Executor, error) {
			return semExecutor{semaphore.NewWeighted(int64(s.Limit)), int64(s.Limit)}, nil
		},
	}
}

type semExecutor struct {
	s     *semaphore.Weighted
	limit int64
}

func (e semExecutor) Producer(task func()) func() {
	f := func() {
		defer e.s.Release(1)
		task()
	}
	return func() { e.acquire(1); go f() }
}

func (e semExecutor) Submit(body func(int), i int) {
	e.acquire(1)
	go func() {
		defer e.s.Release(1)
		body(i)
	}()
}

func (e semExecutor) acquire(n int64) { must(e.s.Acquire(context.Background(), n)) }

func (e semExecutor) Close() { e.acquire(e.limit) }
