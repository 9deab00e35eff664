package cmwq_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// Limits, submitters that go away, cancels and flushes all at once: everything accepted
// is done, failed, or cancelled, each future has its result, and the counts are those.
func TestStressLimitsAndSubmitters(t *testing.T) {
	for name, kind := range kinds {
		most := cmwq.MaxActive(3)
		if name == "ordered" {
			most = cmwq.MaxActive(1)
		}
		t.Run(name, func(t *testing.T) { stressLimits(t, kind, most) })
	}
}

func stressLimits(t *testing.T, opts ...cmwq.QueueOption) {
	var failed, waitedOut, ranOut, left atomic.Int64
	sys := start(t, cmwq.WithOnFailure(func(_ string, err error) {
		failed.Add(1)
		if e, ok := errors.AsType[*cmwq.TimeoutError](err); ok {
			if e.Phase == cmwq.PhaseWaiting {
				waitedOut.Add(1)
			} else {
				ranOut.Add(1)
			}
		} else if errors.Is(err, cmwq.ErrCancelled) && err != cmwq.ErrCancelled { //nolint:errorlint // the very error is of one that ran
			left.Add(1) // its submitter had gone before it began; else it was cancelled while it ran
		}
	}))
	q := queue(t, sys, "q", append(opts, cmwq.MaxWait(3*time.Millisecond), cmwq.MaxRun(time.Millisecond))...)
	var accepted, begun, cancelled atomic.Int64
	var wg sync.WaitGroup
	for p := range 4 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(p), 1))
			f := func(c *cmwq.Context) error {
				begun.Add(1)
				switch rand.IntN(8) {
				case 0:
					return c.Sleep(2 * time.Millisecond)
				case 1:
					return c.Sleep(200 * time.Microsecond)
				case 2:
					_ = c.Value(spanKey{})
				}
				return nil
			}
			work := make([]*cmwq.Work, 8)
			for i := range work {
				work[i] = cmwq.NewWork(f)
			}
			type submitted struct {
				*cmwq.Future[int]
				ran *atomic.Bool
			}
			var futures []submitted
			for range short.Rounds(1500) {
				ctx, leave := context.WithTimeout(context.WithValue(bg, spanKey{}, p), time.Duration(r.IntN(3000))*time.Microsecond)
				opts := [][]cmwq.ViewOption{nil, {cmwq.FollowCancel()}, {cmwq.FollowDeadline()}, {cmwq.WaitAtMost(time.Millisecond)},
					{cmwq.RunAtMost(100 * time.Microsecond)}}[r.IntN(5)]
				v := []queuer{q, q.With(ctx, opts...), q.Keyed(p), q.With(ctx, opts...).Keyed(p)}[r.IntN(4)]
				w := work[r.IntN(len(work))]
				var err error
				switch r.IntN(6) {
				case 0:
					err = v.Go(f)
				case 1:
					err = v.Queue(w)
				case 2:
					err = v.QueueAfter(time.Duration(r.IntN(1000))*time.Microsecond, w)
				case 3:
					if was, _ := w.CancelWait(bg); was {
						cancelled.Add(1)
					}
					err = context.Canceled
				case 4, 5:
					ran := new(atomic.Bool)
					futures = append(futures, submitted{cmwq.Submit(v, func(c *cmwq.Context) (int, error) { ran.Store(true); return 7, f(c) }), ran})
					err = context.Canceled
				}
				if err == nil {
					accepted.Add(1)
				}
				if r.IntN(2) == 0 {
					leave()
				} else {
					time.AfterFunc(time.Millisecond, leave)
				}
				if r.IntN(50) == 0 {
					_ = q.Flush(bg)
				}
			}
			for _, w := range work {
				_ = w.Flush(bg)
			}
			for _, fut := range futures {
				v, err := fut.Wait(bg)
				if err == nil && v != 7 {
					t.Error("a result without a value")
				}
				_, late := errors.AsType[*cmwq.TimeoutError](err)
				if fut.ran.Load() || late || errors.Is(err, cmwq.ErrCancelled) {
					accepted.Add(1)
				} else if !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err) // it was refused for no reason
				}
			}
		})
	}
	wg.Wait()
	require.NoError(t, q.Flush(bg))
	st, err := q.Stats(bg)
	require.NoError(t, err)
	require.Zero(t, st.InFlight+int64(st.Active+st.Inactive))
	require.NoError(t, q.Destroy(bg)) // its actor has reported every failure
	require.Equal(t, []int64{st.Failed, st.WaitedOut, st.RanOut}, []int64{failed.Load(), waitedOut.Load(), ranOut.Load()})
	require.Equal(t, accepted.Load(), begun.Load()+waitedOut.Load()+left.Load()+cancelled.Load())
	require.LessOrEqual(t, begun.Load(), st.Total)
	require.NotZero(t, st.WaitedOut)
	require.NotZero(t, st.RanOut)
}
