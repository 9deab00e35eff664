package cmwq_test

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// Whatever a queue accepts while it is destroyed runs, the last item too.
func TestStressQueueBesideDestroy(t *testing.T) {
	machine, _ := pods(t, twoPods)
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			sys := start(t, silent(), machine)
			for round := range short.Rounds(100) {
				q := queue(t, sys, fmt.Sprint(round), kind)
				var ran, accepted atomic.Int64
				var wg sync.WaitGroup
				for range 3 {
					wg.Go(func() {
						for range 200 {
							w := cmwq.NewWork(func(*cmwq.Context) error { ran.Add(1); return nil })
							if err := q.Queue(w); err != nil {
								if w.Busy() != (cmwq.Busy{}) {
									t.Error("refused, and not idle")
								}
								return
							}
							accepted.Add(1)
							if round%2 == 0 {
								runtime.Gosched()
							}
							if err := w.Flush(bg); err != nil {
								t.Error(err)
							}
						}
					})
				}
				runtime.Gosched()
				require.NoError(t, q.Destroy(bg))
				wg.Wait()
				require.Equal(t, accepted.Load(), ran.Load())
			}
		})
	}
}

// There is one Queue of a name, whoever asks; it ends with the queue.
func TestAQueueIsFoundAsTheSameQueue(t *testing.T) {
	sys := start(t, silent())
	for round := range 50 {
		q := queue(t, sys, "q")
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for range 20 {
					if found := sys.Queue("q"); found != nil && found != q {
						t.Error("another Queue of the same name", round)
					}
				}
			})
		}
		require.NoError(t, q.Destroy(bg))
		wg.Wait()
		waitGone(sys, "q")
	}
}
