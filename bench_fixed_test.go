package cmwq_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// batch is a hundred items that are queued together and waited for together.
type batch struct {
	items [100]*cmwq.Work
	left  atomic.Int32
	done  chan struct{}
}

// newBatch gives items that call f with their number.
func newBatch(f func(i int)) *batch {
	b := &batch{done: make(chan struct{}, 1)}
	for i := range b.items {
		b.items[i] = cmwq.NewWork(func(*cmwq.Context) error {
			f(i)
			if b.left.Add(-1) == 0 {
				b.done <- struct{}{}
			}
			return nil
		})
	}
	return b
}

func (b *batch) run(q *cmwq.Queue) {
	b.left.Store(int32(len(b.items)))
	for _, w := range b.items {
		for q.Queue(w) != nil { // it has ended but for its last step
		}
	}
	<-b.done
}

// threeWorkers gives a queue on which three items run at a time: by workers of a
// shared pool, or by fixed ones.
func threeWorkers(t testing.TB, sys *cmwq.System, fixed bool) *cmwq.Queue {
	if !fixed {
		return queue(t, sys, "normal")
	}
	q := queue(t, sys, "fixed")
	require.NoError(t, q.Fix(3, 100))
	return q
}

func threeCPUs(t testing.TB) cmwq.Option {
	topo, err := topology.Uniform(1, 1, 3, 1)
	require.NoError(t, err)
	return cmwq.WithTopology(topo)
}

// BenchmarkFixed compares three fixed workers with three of a shared pool: batches
// of a hundred nops, as the proposal for io-wq was measured; and batches in which
// each third item takes 20 µs, so that they all fall to one fixed worker.
func BenchmarkFixed(b *testing.B) {
	for name, f := range map[string]func(int){
		"nops":    func(int) {},
		"unequal": func(i int) { spin(time.Duration(i%3/2) * 20 * time.Microsecond) },
	} {
		for _, producers := range []int{1, 4} {
			for _, fixed := range []bool{false, true} {
				kind := map[bool]string{false: "normal", true: "fixed"}[fixed]
				b.Run(name+"/"+kind+"/producers="+string(rune('0'+producers)), func(b *testing.B) {
					sys := start(b, threeCPUs(b))
					q := threeWorkers(b, sys, fixed)
					b.ReportAllocs()
					b.ResetTimer()
					var wg sync.WaitGroup
					for p := range producers {
						wg.Go(func() {
							batch := newBatch(f)
							for i := p * 100; i < b.N; i += producers * 100 {
								batch.run(q)
							}
						})
					}
					wg.Wait()
				})
			}
		}
	}
}
