package main

import (
	"context"
	"sync/atomic"
	"time"
)

const batchSize = 100

// batch is a hundred items that are queued together and waited for together.
type batch struct {
	do   work
	left atomic.Int32
	done chan struct{}
}

func newBatch(do work) *batch { return &batch{do: do, done: make(chan struct{}, 1)} }

// item does one of them; sleep is how items sleep on that kind of worker.
func (b *batch) item(i int, sleep func(time.Duration)) {
	b.do(i, sleep)
	if b.left.Add(-1) == 0 {
		b.done <- struct{}{}
	}
}

// run queues all by their numbers and waits for them.
func (b *batch) run(ctx context.Context, queue func(i int) error) error {
	b.left.Store(batchSize)
	for i := range batchSize {
		if err := queue(i); err != nil {
			return err
		}
	}
	select {
	case <-b.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
