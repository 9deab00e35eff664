//go:build linux

package cmwq_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// BenchmarkPinned is the price of threads: an item at a time that somebody waits for, and
// items one behind the other.
func BenchmarkPinned(b *testing.B) {
	for _, mode := range []struct {
		name string
		opts []cmwq.Option
	}{{"goroutine", nil}, {"thread", []cmwq.Option{cmwq.WithPinning()}}} {
		b.Run("handoff/"+mode.name, func(b *testing.B) {
			sys := start(b, mode.opts...)
			q, cpu := queue(b, sys, "q", cmwq.PerCPU()), firstCPU(sys)
			done := make(chan struct{})
			w := cmwq.NewWork(func(*cmwq.Context) error { done <- struct{}{}; return nil })
			for b.Loop() {
				require.NoError(b, q.QueueOn(cpu, w))
				<-done
			}
		})
		b.Run("flood/"+mode.name, func(b *testing.B) {
			sys := start(b, mode.opts...)
			q, cpu := queue(b, sys, "q", cmwq.PerCPU()), firstCPU(sys)
			work := make([]*cmwq.Work, 256)
			for i := range work {
				work[i] = cmwq.NewWork(func(*cmwq.Context) error { return nil })
			}
			i := 0
			for b.Loop() {
				for q.QueueOn(cpu, work[i%len(work)]) != nil {
					_ = q.Flush(b.Context())
				}
				i++
			}
			_ = q.Flush(b.Context())
		})
	}
}
