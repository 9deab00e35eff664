package main

import (
	"sync"
	"time"
)

// list is what io-wq and its proposal use: items under a lock, and who waits for them.
type list struct {
	mu    sync.Mutex
	some  sync.Cond
	items []int
	ended bool
}

// lists starts three workers on n lists, without any of this library. With one list a
// worker takes an item at a time, as io-wq's do; with a list each it takes all that
// is there, as the proposal has it.
func lists(b *batch, n int) (func(i int) error, func() error, error) {
	ls := make([]list, n)
	for i := range ls {
		ls[i].some.L = &ls[i].mu
		ls[i].items = make([]int, 0, batchSize)
	}
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() { ls[w%n].serve(b, n > 1) })
	}
	next := 0
	queue := func(i int) error {
		next++
		ls[next%n].push(i)
		return nil
	}
	return queue, func() error {
		for i := range ls {
			ls[i].end()
		}
		all.Wait()
		return nil
	}, nil
}

func (l *list) push(i int) {
	l.mu.Lock()
	l.items = append(l.items, i)
	l.mu.Unlock()
	l.some.Signal()
}

func (l *list) end() {
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	l.some.Broadcast()
}

// serve works until the list ends.
func (l *list) serve(b *batch, takeAll bool) {
	taken := make([]int, 0, batchSize)
	for {
		l.mu.Lock()
		for len(l.items) == 0 && !l.ended {
			l.some.Wait()
		}
		if len(l.items) == 0 {
			l.mu.Unlock()
			return
		}
		n := 1
		if takeAll {
			n = len(l.items)
		}
		taken = append(taken[:0], l.items[:n]...)
		l.items = l.items[:copy(l.items, l.items[n:])]
		l.mu.Unlock()
		for _, i := range taken {
			b.item(i, time.Sleep)
		}
	}
}
