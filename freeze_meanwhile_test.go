package cmwq_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// A freeze and a change of pools at the same moment: the freeze ends, nothing starts
// before the thaw, on the old pools or on the new ones, and everything after it.
func TestFreezeWhilePoolsChange(t *testing.T) {
	machine, _ := pods(t, "llc:4 core:1")
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Freezable())
		var ran, queued atomic.Int64
		add := func(n int) {
			for i := range n {
				queued.Add(1)
				require.NoError(t, q.Queue(cmwq.NewWork(func(*cmwq.Context) error { ran.Add(1); return nil })), i)
			}
		}
		for i := range short.Rounds(100) {
			var wg sync.WaitGroup
			wg.Go(func() { require.NoError(t, q.SetAttrs(bg, cmwq.CPUs(cpuset.New(i%4, (i+1)%4)))) })
			wg.Go(func() { add(10) })
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(bg, time.Hour)
				defer cancel()
				require.NoError(t, sys.Freeze(ctx))
			})
			wg.Wait()
			synctest.Wait()
			was := ran.Load()
			add(20)
			synctest.Wait()
			require.Equal(t, was, ran.Load(), "something started")
			if i%2 == 0 {
				wg.Go(func() { require.NoError(t, q.SetAttrs(bg, cmwq.CPUs(cpuset.New(i%4, (i+2)%4)))) })
			}
			sys.Thaw()
			wg.Wait()
			ctx, cancel := context.WithTimeout(bg, time.Hour)
			require.NoError(t, q.Flush(ctx))
			cancel()
			require.Equal(t, queued.Load(), ran.Load())
		}
	}, machine)
}
