package cmwq_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkFloor is what no queue can go below on the machine: docs/performance.md
// compares with it.
func BenchmarkFloor(b *testing.B) {
	b.Run("call", func(b *testing.B) {
		f := func(n int) int { return n + 1 }
		if b.N < 0 {
			f = nil // so that the compiler cannot know it
		}
		n := 0
		for range b.N {
			n = f(n)
		}
		runtime.KeepAlive(n)
	})
	b.Run("cas", func(b *testing.B) {
		var x atomic.Uint64
		for i := range uint64(b.N) {
			x.CompareAndSwap(i, i+1)
		}
	})
	b.Run("clock", func(b *testing.B) {
		base, sum := time.Now(), time.Duration(0)
		for range b.N {
			sum += time.Since(base)
		}
		runtime.KeepAlive(sum)
	})
	// A word goes from one CPU to the other and back: two transfers.
	b.Run("line", func(b *testing.B) {
		if runtime.GOMAXPROCS(0) < 2 {
			b.Skip("one CPU")
		}
		var turn atomic.Int64
		var wg sync.WaitGroup
		wg.Go(func() {
			for i := range int64(b.N) {
				for turn.Load() != 2*i+1 {
				}
				turn.Store(2*i + 2)
			}
		})
		for i := range int64(b.N) {
			turn.Store(2*i + 1)
			for turn.Load() != 2*i+2 {
			}
		}
		wg.Wait()
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(2*b.N), "ns/transfer")
	})
	// A goroutine that waits is woken, and wakes the first: two wake-ups.
	b.Run("wake", func(b *testing.B) {
		there, back := make(chan struct{}), make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			for range there {
				back <- struct{}{}
			}
		})
		for range b.N {
			there <- struct{}{}
			<-back
		}
		close(there)
		wg.Wait()
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(2*b.N), "ns/wake")
	})
}
