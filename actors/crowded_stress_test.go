package actors

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/messages"
)

// In a pool that believes for good that others hold the CPUs, workers take from each other
// what has not begun, while items sleep, block, are cancelled and are flushed: each that
// was accepted ran or was cancelled, once, and all workers are at rest in the end.
func TestStressWorkersTakeWhatWaitsForACPU(t *testing.T) {
	bubble(t, 4, nil, func(t *testing.T, sys *System) {
		queues := []*Queue{
			newTestQueue(t, sys, "plain", QueueOptions{}),
			newTestQueue(t, sys, "narrow", QueueOptions{MaxActive: 2}),
			newTestQueue(t, sys, "bounded", QueueOptions{Bound: 1 << 16, WhenFull: policy.Refuse}),
		}
		p := poolOf(queues[0])
		p.crowd.noYield.Store(int64(1000 * time.Hour))
		var ran, accepted, cancelled atomic.Int64
		var all sync.WaitGroup
		for g := range 4 {
			all.Go(func() {
				items := make([]messages.Item, 16)
				for i := range short.AtLeast(500, 1500) {
					q, it := queues[(i+g)%len(queues)], &items[i%len(items)]
					err := q.Queue(it, func(ctx *messages.Context) error {
						ran.Add(1)
						switch i % 50 {
						case 7:
							return ctx.Sleep(time.Millisecond)
						case 8:
							time.Sleep(time.Microsecond)
						}
						return nil
					}, false)
					if err == nil {
						accepted.Add(1)
					}
					switch i % 7 {
					case 3:
						if Cancel(&items[(i*5)%len(items)]) {
							cancelled.Add(1)
						}
					case 5:
						if err := Flush(t.Context(), it); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
		all.Wait()
		for _, q := range queues {
			require.NoError(t, q.Flush(t.Context()))
		}
		require.Equal(t, accepted.Load(), ran.Load()+cancelled.Load())
		synctest.Wait()
		require.Zero(t, p.pol.Running())
		require.Equal(t, p.pol.Workers(), p.pol.Idle())
	})
}
