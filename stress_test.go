package cmwq_test

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

func silent() cmwq.Option {
	return cmwq.WithLogger(slog.New(slog.DiscardHandler))
}

// kinds are the four kinds of queue.
var kinds = map[string]cmwq.QueueOption{
	"managed": cmwq.MaxActive(0), "percpu": cmwq.PerCPU(), "unbound": cmwq.Unbound(), "ordered": cmwq.Ordered(),
}

func spin(d time.Duration) {
	for t := time.Now(); time.Since(t) < d; {
	}
}

// TestStressMix runs items that sleep declared and not, hog, panic and call
// Goexit among short ones: each runs exactly once.
func TestStressMix(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			n := short.AtLeast(1000, 8000)
			var failed atomic.Int64
			sys := start(t, cmwq.WithOnFailure(func(string, error) { failed.Add(1) }))
			q := queue(t, sys, "mix", kind)
			items := make([]*cmwq.Work, n)
			runs := make([]atomic.Int32, n)
			for i := range items {
				items[i] = cmwq.NewWork(func(ctx *cmwq.Context) error {
					runs[i].Add(1)
					switch i % 1000 {
					case 500:
						_ = ctx.Sleep(2 * time.Millisecond)
						_ = ctx.Sleep(time.Microsecond)
					case 600:
						ctx.Block(func() { runtime.Gosched() })
						ctx.Block(func() {})
					case 700:
						time.Sleep(2 * time.Millisecond)
					case 800:
						spin(15 * time.Millisecond)
					case 900:
						panic("of the test")
					case 901:
						ctx.Block(func() { panic("inside Block") })
					case 902:
						runtime.Goexit()
					case 903:
						return errors.New("of the test")
					}
					return nil
				})
			}
			var calls, want atomic.Int64
			var wg sync.WaitGroup
			for p := range 4 {
				wg.Go(func() {
					for i := p; i < n; i += 4 {
						if err := q.Queue(items[i]); err != nil {
							t.Error(err)
						}
						if i%64 < 4 {
							want.Add(1)
							if err := q.Go(func(*cmwq.Context) error { calls.Add(1); return nil }); err != nil {
								t.Error(err)
							}
						}
					}
				})
			}
			wg.Wait()
			require.NoError(t, q.Flush(context.Background()))
			for i := range runs {
				require.EqualValues(t, 1, runs[i].Load(), "item %d", i)
			}
			require.Equal(t, want.Load(), calls.Load())
			st, err := q.Stats(context.Background())
			require.NoError(t, err)
			require.Equal(t, int64(n)+want.Load(), st.Total)
			require.EqualValues(t, 0, st.InFlight)
			require.EqualValues(t, 4*n/1000, st.Failed)
			require.Zero(t, st.Active)
			require.Zero(t, st.Inactive)
		})
	}
}

// TestStressRequeue queues few items again and again from many goroutines: no
// execution overlaps another of the same item, and each accepted Queue runs.
func TestStressRequeue(t *testing.T) {
	for name, kind := range withBH() {
		t.Run(name, func(t *testing.T) {
			sys := start(t, silent())
			q := queue(t, sys, "requeue", kind)
			var items [7]*cmwq.Work
			var in [7]atomic.Int32
			var ran, accepted, self atomic.Int64
			for i := range items {
				items[i] = cmwq.NewWork(func(*cmwq.Context) error {
					if in[i].Add(1) != 1 {
						t.Error("two executions at once")
					}
					if i == 3 {
						runtime.Gosched()
					}
					in[i].Add(-1)
					if ran.Add(1)%16 == 0 && q.Queue(items[i]) == nil {
						self.Add(1)
					}
					return nil
				})
			}
			var wg sync.WaitGroup
			for p := range 4 {
				wg.Go(func() {
					for i := range short.Rounds(20000) {
						if q.Queue(items[(i+p)%7]) == nil {
							accepted.Add(1)
						}
					}
				})
			}
			wg.Wait()
			require.NoError(t, q.Drain(context.Background()))
			require.Equal(t, accepted.Load()+self.Load(), ran.Load())
		})
	}
}

// TestStressControl mixes every operation on a few items with their execution;
// then nothing is pending and nothing runs, and the counts agree.
func TestStressControl(t *testing.T) {
	for name, kind := range withBH() {
		t.Run(name, func(t *testing.T) {
			sys := start(t, silent())
			q := queue(t, sys, "control", kind)
			ctx := context.Background()
			var items [5]*cmwq.Work
			var ran, accepted, cancelled atomic.Int64
			for i := range items {
				items[i] = cmwq.NewWork(func(c *cmwq.Context) error {
					ran.Add(1)
					if i == 0 {
						_ = c.Sleep(20 * time.Microsecond)
					}
					return nil
				})
			}
			check := func(err error) {
				if err != nil {
					t.Error(err)
				}
			}
			accept := func(err error) {
				switch {
				case err == nil:
					accepted.Add(1)
				case !errors.Is(err, cmwq.ErrPending) && !errors.Is(err, cmwq.ErrDisabled):
					t.Error(err)
				}
			}
			var wg sync.WaitGroup
			for p := range 4 {
				wg.Go(func() {
					for i := range short.Rounds(1500) {
						w := items[(i*7+p)%len(items)]
						switch (i + p) % 12 {
						case 0:
							if w.Cancel() {
								cancelled.Add(1)
							}
						case 1:
							was, err := w.CancelWait(ctx)
							check(err)
							if was {
								cancelled.Add(1)
							}
						case 2:
							check(w.Flush(ctx))
						case 3:
							accept(q.QueueAfter(time.Duration(i%50)*time.Microsecond, w))
						case 4:
							was, err := q.Modify(time.Duration(i%3)*10*time.Microsecond, w)
							if was {
								cancelled.Add(1)
							}
							accept(err)
						case 5:
							was, err := w.Disable(ctx)
							check(err)
							if was {
								cancelled.Add(1)
							}
							_, err = w.Enable()
							check(err)
						case 6:
							check(q.Flush(ctx))
						default:
							accept(q.Queue(w))
						}
					}
				})
			}
			wg.Wait()
			for _, w := range items {
				check(w.Flush(ctx))
				require.Equal(t, cmwq.Busy{}, w.Busy())
			}
			require.NoError(t, q.Drain(ctx))
			require.Equal(t, accepted.Load(), ran.Load()+cancelled.Load())
		})
	}
}

// TestStressIdle wakes an idle pool again and again: a lost wake-up shows as a
// hang.
func TestStressIdle(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "idle")
	ch := make(chan struct{}, 4)
	for i := range short.Rounds(20000) {
		k := 1 + i%3
		for range k {
			require.NoError(t, q.Go(func(*cmwq.Context) error { ch <- struct{}{}; return nil }))
		}
		for range k {
			<-ch
		}
	}
}
