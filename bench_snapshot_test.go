package cmwq_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// busyThousand makes 1000 queues that have all had work, of which every tenth has an
// item that runs and ten that wait. What it gives lets them go.
func busyThousand(b testing.TB, sys *cmwq.System) (open func()) {
	kinds := []cmwq.QueueOption{cmwq.MaxActive(1), cmwq.PerCPU(), cmwq.Unbound()}
	gate := make(chan struct{})
	for i := range 1000 {
		q := queue(b, sys, fmt.Sprintf("queue-%d", i), kinds[i%3], cmwq.MaxActive(1))
		require.NoError(b, q.Go(anotherItem))
		require.NoError(b, q.Flush(bg))
		if i%10 == 0 {
			entered := make(chan struct{})
			require.NoError(b, q.Go(func(ctx *cmwq.Context) error {
				close(entered)
				ctx.Block(func() { <-gate })
				return nil
			}))
			<-entered
			for range 10 {
				require.NoError(b, q.Go(anotherItem))
			}
		}
	}
	return func() { close(gate) }
}

// BenchmarkSnapshot reads 1000 queues: under a millisecond.
func BenchmarkSnapshot(b *testing.B) {
	sys := start(b, silent())
	defer busyThousand(b, sys)()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sys.Snapshot(bg); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDump writes what they do.
func BenchmarkDump(b *testing.B) {
	sys := start(b, silent())
	defer busyThousand(b, sys)()
	b.ReportAllocs()
	for b.Loop() {
		if err := sys.Dump(bg, io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
