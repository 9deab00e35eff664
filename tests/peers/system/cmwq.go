package system

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// ours is a system with one queue.
type ours struct {
	sys *cmwq.System
	q   *cmwq.Queue
}

func newOurs(s Setup) (*ours, error) {
	sysOpts := []cmwq.Option{cmwq.WithLogger(slog.New(slog.DiscardHandler))} // hogs are meant here
	if s.CPUs > 0 {
		top, err := topology.Uniform(1, 1, s.CPUs, 1)
		if err != nil {
			return nil, err
		}
		sysOpts = append(sysOpts, cmwq.WithTopology(top))
	}
	sys, err := cmwq.New(sysOpts...)
	if err != nil {
		return nil, err
	}
	var opts []cmwq.QueueOption
	if s.Hold {
		opts = append(opts, cmwq.MaxActive(s.Limit))
	}
	q, err := sys.NewQueue("peers", opts...)
	if err != nil {
		_ = sys.Stop(context.Background())
		return nil, err
	}
	return &ours{sys, q}, nil
}

func (o *ours) Close() { _ = o.sys.Stop(context.Background()) }

// must ends the cell: a refusal in the middle of a measurement is a bug.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

func cmwqClosure() System {
	return System{
		Name: "cmwq closure", Setup: "cmwq.New(), not logging; q.Go(f) on a managed queue", Ours: true, Queues: true,
		Make: func(s Setup) (Executor, error) { o, err := newOurs(s); return &closures{o}, err },
	}
}

// work is a task in the form that cmwq takes.
func work(task func()) func(*cmwq.Context) error {
	return func(*cmwq.Context) error { task(); return nil }
}

type closures struct{ *ours }

func (c *closures) Producer(task func()) func() {
	f := work(task)
	return func() { must(c.q.Go(f)) }
}

func (c *closures) Submit(body func(int), i int) {
	must(c.q.Go(func(*cmwq.Context) error { body(i); return nil }))
}

func (c *closures) SubmitSleeping(body func(int, func(time.Duration)), i int) {
	must(c.q.Go(func(ctx *cmwq.Context) error {
		body(i, func(d time.Duration) { _ = ctx.Sleep(d) })
		return nil
	}))
}

// Queues gives n queues of one system.
func (c *closures) Queues(n int) ([]Executor, error) {
	return c.queues(n, func(o *ours) Executor { return &closures{o} })
}

func (o *ours) queues(n int, executor func(*ours) Executor) ([]Executor, error) {
	all := make([]Executor, n)
	for i := range all {
		q, err := o.sys.NewQueue(fmt.Sprintf("peers/%d", i))
		if err != nil {
			return nil, err
		}
		all[i] = executor(&ours{o.sys, q})
	}
	return all, nil
}
