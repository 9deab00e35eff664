package main

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

const workers = 3

// contender is a way to have three workers. open gives a function that queues item i of
// a batch, and one that ends the workers.
type contender struct {
	name string
	open func(b *batch) (queue func(i int) error, end func() error, err error)
}

func contenders() []contender {
	return []contender{
		{"cmwq, normal", normal()},
		{"cmwq, fixed", fixed()},
		{"one list, one lock", func(b *batch) (func(int) error, func() error, error) { return lists(b, 1) }},
		{"three lists, three locks", func(b *batch) (func(int) error, func() error, error) { return lists(b, workers) }},
	}
}

// normal is a queue whose shared pool may have three workers runnable.
func normal(opts ...cmwq.Option) func(*batch) (func(int) error, func() error, error) {
	return func(b *batch) (func(int) error, func() error, error) { return queued(b, 0, opts) }
}

// fixed is a queue with three fixed workers, each with room for a batch.
func fixed(opts ...cmwq.Option) func(*batch) (func(int) error, func() error, error) {
	return func(b *batch) (func(int) error, func() error, error) { return queued(b, workers, opts) }
}

func queued(b *batch, fix int, opts []cmwq.Option) (func(int) error, func() error, error) {
	cpus, err := topology.Uniform(1, 1, workers, 1) // a pool of width 3
	if err != nil {
		return nil, nil, err
	}
	sys, err := cmwq.New(append([]cmwq.Option{cmwq.WithTopology(cpus)}, opts...)...)
	if err != nil {
		return nil, nil, err
	}
	end := func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		return sys.Stop(ctx)
	}
	q, err := sys.NewQueue("nops")
	if err == nil && fix > 0 {
		err = q.Fix(fix, batchSize)
	}
	if err != nil {
		return nil, nil, errors.Join(err, end())
	}
	var items [batchSize]*cmwq.Work
	for i := range items {
		items[i] = cmwq.NewWork(func(ctx *cmwq.Context) error {
			b.item(i, func(d time.Duration) { _ = ctx.Sleep(d) })
			return nil
		})
	}
	return func(i int) error {
		err := q.Queue(items[i])
		for errors.Is(err, cmwq.ErrPending) { // it has ended but for its last step
			runtime.Gosched()
			err = q.Queue(items[i])
		}
		return err
	}, end, nil
}
