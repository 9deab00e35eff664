package cmwq_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cmwq/cmwq"
)

// burnFor keeps a CPU.
func burnFor(d time.Duration) {
	for s := time.Now(); time.Since(s) < d; {
	}
}

// BenchmarkBatch is a hundred items that somebody waits for, again and again, beside three
// goroutines on a list under a lock: how much of two CPUs it makes use of.
func BenchmarkBatch(b *testing.B) {
	const n = 100
	for _, d := range []time.Duration{5 * time.Microsecond, 20 * time.Microsecond, 100 * time.Microsecond} {
		run := func(b *testing.B, queueAll func(f func())) {
			var left atomic.Int64
			done := make(chan struct{}, 1)
			f := func() {
				burnFor(d)
				if left.Add(-1) == 0 {
					done <- struct{}{}
				}
			}
			for b.Loop() {
				left.Store(n)
				queueAll(f)
				<-done
			}
			b.ReportMetric(100*float64(d)*n/2/(float64(b.Elapsed())/float64(b.N)), "%-of-2-CPUs")
		}
		b.Run(fmt.Sprintf("burn=%v/cmwq", d), func(b *testing.B) {
			q := queue(b, start(b), "bench")
			run(b, func(f func()) {
				for range n {
					_ = q.Go(func(*cmwq.Context) error { f(); return nil })
				}
			})
		})
		b.Run(fmt.Sprintf("burn=%v/list", d), func(b *testing.B) {
			l := newLockedList(3)
			defer l.close()
			run(b, func(f func()) {
				for range n {
					l.add(f)
				}
			})
		})
	}
}

// lockedList is the simplest pool there is.
type lockedList struct {
	mu   sync.Mutex
	some sync.Cond
	list []func() // nil ends a worker
}

func newLockedList(workers int) *lockedList {
	l := &lockedList{}
	l.some.L = &l.mu
	for range workers {
		go l.work()
	}
	return l
}

func (l *lockedList) add(f func()) {
	l.mu.Lock()
	l.list = append(l.list, f)
	l.mu.Unlock()
	l.some.Signal()
}

func (l *lockedList) close() {
	for range 3 {
		l.add(nil)
	}
}

func (l *lockedList) work() {
	for {
		l.mu.Lock()
		for len(l.list) == 0 {
			l.some.Wait()
		}
		f := l.list[0]
		l.list = l.list[1:]
		l.mu.Unlock()
		if f == nil {
			return
		}
		f()
	}
}
