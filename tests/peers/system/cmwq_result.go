package system

import (
	"context"

	"github.com/cmwq/cmwq"
)

func cmwqSubmit() System {
	return System{
		Name: "cmwq Submit", Setup: "cmwq.New(); cmwq.Submit(q, f), which gives a typed Future", Ours: true, Queues: true,
		Make:    func(s Setup) (Executor, error) { o, err := newOurs(s); return &submits{o}, err },
		Results: func(limit int) (Results, error) { o, err := newOurs(Setup{Limit: limit}); return futures{o}, err },
	}
}

// function is f in the form that cmwq takes.
func function[T any](f func() T) func(*cmwq.Context) (T, error) {
	return func(*cmwq.Context) (T, error) { return f(), nil }
}

type submits struct{ *ours }

func (e *submits) Producer(task func()) func() {
	f := function(func() struct{} { task(); return struct{}{} })
	return func() { cmwq.Submit(e.q, f) }
}

func (e *submits) Submit(body func(int), i int) {
	cmwq.Submit(e.q, func(*cmwq.Context) (struct{}, error) { body(i); return struct{}{}, nil })
}

// Queues gives n queues of one system.
func (e *submits) Queues(n int) ([]Executor, error) {
	return e.queues(n, func(o *ours) Executor { return &submits{o} })
}

type futures struct{ *ours }

type future struct{ f *cmwq.Future[int] }

func (f future) Wait() (int, error) { return f.f.Wait(context.Background()) }

func (e futures) Producer(f func() int) func() Result {
	g := function(f)
	return func() Result { return future{cmwq.Submit(e.q, g)} }
}
