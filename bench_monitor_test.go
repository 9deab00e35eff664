package cmwq_test

import (
	"fmt"
	"testing"

	"github.com/cmwq/cmwq"
)

// BenchmarkMonitored is BenchmarkItem, BenchmarkClosure and BenchmarkSnapshot with the
// times of items measured.
func BenchmarkMonitored(b *testing.B) {
	for _, p := range []int{1, 4} {
		b.Run(fmt.Sprintf("item/producers=%d", p), func(b *testing.B) {
			rings := make([]*ring, p)
			for i := range rings {
				rings[i] = newRing(ringSize)
			}
			benchProducers(b, p, func(q *cmwq.Queue, p, n int) { rings[p].queueAll(b, q, n) }, cmwq.WithMonitor())
		})
		b.Run(fmt.Sprintf("closure/producers=%d", p), func(b *testing.B) {
			benchProducers(b, p, func(q *cmwq.Queue, _, n int) {
				for range n {
					_ = q.Go(nop)
				}
			}, cmwq.WithMonitor())
		})
	}
	b.Run("snapshot", func(b *testing.B) {
		sys := start(b, silent(), cmwq.WithMonitor())
		defer busyThousand(b, sys)()
		b.ReportAllocs()
		for b.Loop() {
			if _, err := sys.Snapshot(bg); err != nil {
				b.Fatal(err)
			}
		}
	})
}
