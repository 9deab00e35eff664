package system

import (
	"fmt"
	"sync"
)

// channel is the pool that everybody writes: a channel and as many goroutines as
// may run. What it cannot buffer waits in the producer.
func channel(depth int) System {
	name := fmt.Sprintf("channel %d", depth)
	if depth == 1<<20 {
		name = "channel 1M"
	}
	return System{
		Name: name, Setup: fmt.Sprintf("make(chan func(), %d), limit goroutines that range over it", depth),
		Capacity: depth,
		Make:     func(s Setup) (Executor, error) { return newChannel(depth, s.Limit), nil },
		Results: func(limit int) (Results, error) {
			return chanResults{newChannel(depth, limit)}, nil
		},
	}
}

type chanExecutor struct {
	ch      chan func()
	workers *sync.WaitGroup
}

func newChannel(depth, limit int) chanExecutor {
	e := chanExecutor{make(chan func(), depth), new(sync.WaitGroup)}
	for range limit {
		e.workers.Go(func() {
			for f := range e.ch {
				f()
			}
		})
	}
	return e
}

func (e chanExecutor) Producer(task func()) func() {
	return func() { e.ch <- task }
}

func (e chanExecutor) Submit(body func(int), i int) {
	e.ch <- func() { body(i) }
}

func (e chanExecutor) Close() {
	close(e.ch)
	e.workers.Wait()
}

// chanResults brings each result back in a channel of its own.
type chanResults struct{ chanExecutor }

type reply chan int

func (r reply) Wait() (int, error) { return <-r, nil }

func (e chanResults) Producer(f func() int) func() Result {
	return func() Result {
		r := make(reply, 1)
		e.ch <- func() { r <- f() }
		return r
	}
}
