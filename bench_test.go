package cmwq_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cmwq/cmwq"
)

// ring keeps n reusable items going round: each counts itself.
type ring struct {
	items []*cmwq.Work
}

const ringSize = 1 << 15

func newRing(n int) *ring {
	r := &ring{items: make([]*cmwq.Work, n)}
	for i := range r.items {
		r.items[i] = cmwq.NewWork(func(*cmwq.Context) error { return nil })
	}
	return r
}

// queueAll queues n items of the ring; an item that is still pending is waited
// for, as a producer with a bounded number of items would.
func (r *ring) queueAll(b *testing.B, q *cmwq.Queue, n int) {
	for i := range n {
		for q.Queue(r.items[i&(len(r.items)-1)]) != nil {
			runtime.Gosched()
		}
	}
}

func benchProducers(b *testing.B, producers int, produce func(q *cmwq.Queue, p, n int), opts ...cmwq.Option) {
	sys := start(b, opts...)
	q := queue(b, sys, "bench")
	b.ReportAllocs()
	b.ResetTimer()
	var wg sync.WaitGroup
	for p := range producers {
		n := b.N / producers
		if p == 0 {
			n += b.N % producers
		}
		wg.Go(func() { produce(q, p, n) })
	}
	wg.Wait()
	if err := q.Flush(context.Background()); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	st, _ := q.Stats(context.Background())
	if st.Total != int64(b.N) {
		b.Fatalf("ran %d of %d", st.Total, b.N)
	}
}

func BenchmarkItem(b *testing.B) {
	for _, p := range []int{1, 4} {
		b.Run(fmt.Sprintf("producers=%d", p), func(b *testing.B) {
			rings := make([]*ring, p)
			for i := range rings {
				rings[i] = newRing(ringSize)
			}
			benchProducers(b, p, func(q *cmwq.Queue, p, n int) { rings[p].queueAll(b, q, n) })
		})
	}
}

func BenchmarkClosure(b *testing.B) {
	for _, p := range []int{1, 4} {
		b.Run(fmt.Sprintf("producers=%d", p), func(b *testing.B) {
			f := func(*cmwq.Context) error { return nil }
			benchProducers(b, p, func(q *cmwq.Queue, p, n int) {
				for range n {
					_ = q.Go(f)
				}
			})
		})
	}
}

func BenchmarkResult(b *testing.B) {
	sys := start(b)
	q := queue(b, sys, "bench")
	f := func(*cmwq.Context) (int, error) { return 1, nil }
	b.ReportAllocs()
	const window = 1024
	futs := make([]*cmwq.Future[int], window)
	for i := range b.N {
		if o := futs[i%window]; o != nil {
			_, _ = o.Wait(context.Background())
		}
		futs[i%window] = cmwq.Submit(q, f)
	}
	for _, o := range futs {
		if o != nil {
			_, _ = o.Wait(context.Background())
		}
	}
}

// BenchmarkIdle is submit to start on an idle pool, back to back.
func BenchmarkIdle(b *testing.B) {
	sys := start(b)
	q := queue(b, sys, "bench")
	base := time.Now()
	lat := make([]time.Duration, 0, b.N)
	done := make(chan time.Duration, 1)
	w := cmwq.NewWork(func(*cmwq.Context) error { done <- time.Since(base); return nil })
	for range b.N {
		t := time.Since(base)
		for q.Queue(w) != nil {
		}
		lat = append(lat, <-done-t)
	}
	slices.Sort(lat)
	b.ReportMetric(float64(lat[len(lat)/2]), "p50-ns")
	b.ReportMetric(float64(lat[len(lat)*99/100]), "p99-ns")
}

// BenchmarkPeer is what the items and closures above compare with: the same nop
// through a channel of 1024 with two workers, and as a goroutine each.
func BenchmarkPeer(b *testing.B) {
	nop := func() {}
	for _, producers := range []int{1, 4} {
		b.Run(fmt.Sprintf("channel/producers=%d", producers), func(b *testing.B) {
			ch := make(chan func(), 1024)
			var workers sync.WaitGroup
			for range 2 {
				workers.Go(func() {
					for f := range ch {
						f()
					}
				})
			}
			produce(b, producers, func() { ch <- nop })
			close(ch)
			workers.Wait()
		})
		b.Run(fmt.Sprintf("go/producers=%d", producers), func(b *testing.B) {
			var all sync.WaitGroup
			all.Add(b.N)
			produce(b, producers, func() { go all.Done() })
			all.Wait()
		})
	}
}

// produce calls submit b.N times from so many goroutines.
func produce(b *testing.B, producers int, submit func()) {
	var wg sync.WaitGroup
	for p := range producers {
		wg.Go(func() {
			for i := p; i < b.N; i += producers {
				submit()
			}
		})
	}
	wg.Wait()
}
