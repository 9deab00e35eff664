package cmwq_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// BenchmarkSupervised is what a strategy costs items that do not fail: nothing. Compare
// the two.
func BenchmarkSupervised(b *testing.B) {
	for name, opts := range map[string][]cmwq.QueueOption{
		"none":  nil,
		"retry": {cmwq.Supervise(supervisor.Retry(3, supervisor.Exponential(time.Second, time.Minute)))},
	} {
		b.Run(name, func(b *testing.B) {
			sys := start(b)
			q := queue(b, sys, "bench", opts...)
			r := newRing(ringSize)
			b.ReportAllocs()
			b.ResetTimer()
			r.queueAll(b, q, b.N)
			if err := q.Flush(context.Background()); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkRetry is one failure and the retry that follows at once: of one item, back
// to back, and of many at a time.
func BenchmarkRetry(b *testing.B) {
	for name, items := range map[string]int{"items=1": 1, "items=64": 64} {
		b.Run(name, func(b *testing.B) {
			sys := start(b)
			q := queue(b, sys, "bench", cmwq.Supervise(supervisor.Retry(-1, supervisor.Backoff{})))
			var left atomic.Int64
			left.Store(int64(b.N))
			done := make(chan struct{})
			var over atomic.Int64
			b.ReportAllocs()
			b.ResetTimer()
			for range items {
				_ = q.Queue(cmwq.NewWork(func(*cmwq.Context) error {
					if left.Add(-1) >= 0 {
						return errBroke
					}
					if over.Add(1) == int64(items) {
						close(done)
					}
					return nil
				}))
			}
			<-done
		})
	}
}
