package cmwq_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/cmwq/cmwq"
)

// BenchmarkMany is a nop to one of many queues after the other: no two items that
// follow each other on the worklist are of one queue.
func BenchmarkMany(b *testing.B) {
	for _, n := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("item/queues=%d", n), func(b *testing.B) {
			qs := manyQueues(b, n)
			r := newRing(ringSize)
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				for qs[i%n].Queue(r.items[i&(ringSize-1)]) != nil {
					runtime.Gosched()
				}
			}
			flushMany(b, qs)
		})
		b.Run(fmt.Sprintf("closure/queues=%d", n), func(b *testing.B) {
			qs := manyQueues(b, n)
			f := func(*cmwq.Context) error { return nil }
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				_ = qs[i%n].Go(f)
			}
			flushMany(b, qs)
		})
	}
}

func manyQueues(b *testing.B, n int) []*cmwq.Queue {
	sys := start(b)
	qs := make([]*cmwq.Queue, n)
	for i := range qs {
		qs[i] = queue(b, sys, fmt.Sprint("bench", i))
	}
	return qs
}

func flushMany(b *testing.B, qs []*cmwq.Queue) {
	for _, q := range qs {
		if err := q.Flush(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
