package cmwq_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// TestBoundedAgreesWithASlowModel queues, arms, cancels and runs one item after the
// other: what a list of what waits says is what happens.
func TestBoundedAgreesWithASlowModel(t *testing.T) {
	for _, i := range short.Some(40) {
		seed := uint64(i)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			when, n := cmwq.WhenFull(seed%2), 1+r.IntN(5)
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.Ordered(), cmwq.Bounded(n, when))
				step, ran := make(chan struct{}), record{}
				works := make([]*cmwq.Work, 12)
				for i := range works {
					works[i] = cmwq.NewWork(func(*cmwq.Context) error { ran.add(i); <-step; return nil })
				}
				require.NoError(t, q.Go(func(*cmwq.Context) error { <-step; return nil }))
				synctest.Wait()
				var waits, armed, want []int // the model
				for range 300 {
					i := r.IntN(len(works))
					pending := slices.Contains(waits, i) || slices.Contains(armed, i)
					isFull := len(waits)+len(armed) == n
					switch op := r.IntN(10); {
					case op < 6:
						arm := op == 5
						err := q.Queue(works[i])
						if arm && err == nil {
							_, err = q.Modify(time.Hour, works[i])
						}
						switch {
						case pending:
							require.ErrorIs(t, err, cmwq.ErrPending)
							continue
						case isFull && (when == cmwq.Refuse || len(waits) == 0):
							require.ErrorIs(t, err, cmwq.ErrFull)
							continue
						case isFull:
							waits = waits[1:]
						}
						require.NoError(t, err)
						if arm {
							armed = append(armed, i)
						} else {
							waits = append(waits, i)
						}
					case op < 8:
						require.Equal(t, pending, works[i].Cancel())
						not := func(x int) bool { return x == i }
						waits, armed = slices.DeleteFunc(waits, not), slices.DeleteFunc(armed, not)
					case op == 8 && len(armed) > 0:
						_, err := q.Modify(0, works[armed[0]])
						require.NoError(t, err)
						waits, armed = append(waits, armed[0]), armed[1:]
					default:
						step <- struct{}{}
						synctest.Wait()
						if len(waits) > 0 {
							want, waits = append(want, waits[0]), waits[1:]
						} else {
							require.NoError(t, q.Flush(bg))
							require.Equal(t, want, ran.get())
							require.Equal(t, n-len(armed), fill(q))
							return
						}
					}
					require.Equal(t, want, ran.get())
				}
				close(step)
				for _, w := range works {
					w.Cancel()
				}
				require.NoError(t, q.Flush(bg))
				require.Equal(t, n, fill(q))
			})
		})
	}
}

// fill says for how many more items an idle queue has room: it arms so many.
func fill(q *cmwq.Queue) (n int) {
	var armed []*cmwq.Work
	for {
		w := cmwq.NewWork(nop)
		if q.QueueAfter(time.Hour, w) != nil {
			break
		}
		armed = append(armed, w)
	}
	for _, w := range armed {
		w.Cancel()
	}
	return len(armed)
}

// TestStressBounded has callers of every sort beside cancels, pools that come and go,
// and a drain: no room is lost, and every accepted item is accounted for.
func TestStressBounded(t *testing.T) {
	for name, kind := range allKinds {
		for _, when := range []cmwq.WhenFull{cmwq.Refuse, cmwq.DropOldest} {
			t.Run(fmt.Sprint(name, when), func(t *testing.T) {
				sys := start(t, silent())
				q := queue(t, sys, "q", append(slices.Clone(kind), cmwq.Bounded(5, when))...)
				var accepted, done, dropped, cancelled atomic.Int64
				var wg sync.WaitGroup
				count := func(fut *cmwq.Future[int]) {
					if r := rand.IntN(4); r == 0 && fut.Cancel() {
						accepted.Add(1)
						cancelled.Add(1)
						return
					}
					_, err := fut.Wait(bg)
					switch {
					case err == nil:
						accepted.Add(1)
						done.Add(1)
					case errors.Is(err, cmwq.ErrDropped):
						accepted.Add(1)
						dropped.Add(1)
					default:
						require.True(t, errors.Is(err, cmwq.ErrFull) || errors.Is(err, cmwq.ErrDraining), err)
					}
				}
				var ran atomic.Int64
				f := func(*cmwq.Context) (int, error) { ran.Add(1); return 0, nil }
				for p := range 4 {
					wg.Go(func() {
						w := cmwq.NewWork(func(*cmwq.Context) error { return nil })
						for i := range short.Rounds(300) {
							switch (i + p) % 5 {
							case 0:
								count(cmwq.Submit(q, f))
							case 1:
								count(cmwq.SubmitContext(bg, q.Keyed(i%3), f))
							case 2:
								count(cmwq.SubmitContext(bg, q, f))
							case 3:
								_ = q.QueueAfter(time.Duration(i%2)*time.Microsecond, w)
								_, _ = q.Modify(time.Duration(i%3)*time.Microsecond, w)
							case 4:
								_, _ = w.CancelWait(bg)
							}
						}
						_, _ = w.CancelWait(bg)
					})
				}
				wg.Go(func() {
					for range 5 {
						require.NoError(t, q.Drain(bg))
					}
				})
				wg.Wait()
				require.NoError(t, q.Flush(bg))
				require.Equal(t, done.Load(), ran.Load())
				require.Equal(t, accepted.Load(), done.Load()+dropped.Load()+cancelled.Load())
				require.Equal(t, 5, fill(q), "no room is lost, nor made")
			})
		}
	}
}
