package cmwq_test

import (
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// TestStressRate has items of every sort wait for tokens, beside cancels, flushes, frosts,
// and changes of the rate, the limit and the pools: all that was accepted runs or is
// cancelled, and nothing hangs.
func TestStressRate(t *testing.T) {
	for name, kind := range allKinds {
		t.Run(name, func(t *testing.T) {
			sys := start(t, silent())
			q := queue(t, sys, "q", append(kind[:1:1], cmwq.Rate(20000, 10), cmwq.Bounded(100, cmwq.Refuse))...)
			var accepted, ran, cancelled atomic.Int64
			var producers, others sync.WaitGroup
			f := func(ctx *cmwq.Context) error {
				if ran.Add(1)%50 == 0 {
					_ = ctx.Sleep(time.Microsecond)
				}
				return nil
			}
			for range 3 {
				producers.Go(func() {
					w := cmwq.NewWork(f)
					for i := range short.Rounds(300) {
						var err error
						switch i % 4 {
						case 0, 1:
							err = q.GoContext(bg, f)
						case 2:
							err = q.Keyed(i%5).GoContext(bg, f)
						default:
							if err = q.Queue(w); err == nil && rand.IntN(2) == 0 && w.Cancel() {
								cancelled.Add(1)
							}
						}
						if err == nil {
							accepted.Add(1)
						} else if !errors.Is(err, cmwq.ErrPending) && !errors.Is(err, cmwq.ErrFull) {
							t.Error(err)
						}
					}
				})
			}
			stop := make(chan struct{})
			others.Go(func() {
				for i := 0; ; i++ {
					select {
					case <-stop:
						return
					default:
					}
					require.NoError(t, q.SetRate([]rate.Limit{20000, 5000, rate.Inf, 50000}[i%4], 1+i%7))
					if name == "managed" || name == "unbound" {
						require.NoError(t, q.SetMaxActive(1+i%5))
						require.NoError(t, q.SetAttrs(bg, cmwq.Nice(i%3)))
					}
					require.NoError(t, q.Flush(bg))
				}
			})
			producers.Wait()
			close(stop)
			others.Wait()
			require.NoError(t, q.Flush(bg))
			require.Equal(t, accepted.Load(), ran.Load()+cancelled.Load())
			require.Equal(t, 100, fill(q), "no room is lost")
		})
	}
}
