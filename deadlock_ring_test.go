package cmwq_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// waitRing has n items on queues of their own; each, once let go, waits for the next
// by one of the ways to wait. errs has what each wait returned.
type waitRing struct {
	queues []*cmwq.Queue
	items  []*cmwq.Work
	begin  []chan struct{}
	errs   []chan error
}

func newWaitRing(t *testing.T, sys *cmwq.System, n int, wait func(ctx *cmwq.Context, next int, r *waitRing) error) *waitRing {
	t.Helper()
	r := &waitRing{}
	for i := range n {
		r.queues = append(r.queues, queue(t, sys, string(rune('a'+i))))
		r.begin = append(r.begin, make(chan struct{}, 1))
		r.errs = append(r.errs, make(chan error, 1))
		r.items = append(r.items, cmwq.NewWork(func(ctx *cmwq.Context) error {
			ctx.SetDesc("item %d", i)
			ctx.Block(func() { <-r.begin[i] })
			r.errs[i] <- wait(ctx, (i+1)%n, r)
			return nil
		}))
	}
	for i, w := range r.items {
		require.NoError(t, r.queues[i].Queue(w))
	}
	synctest.Wait()
	return r
}

func TestARingOfWaitsIsADeadlock(t *testing.T) {
	ways := map[string]func(ctx *cmwq.Context, next int, r *waitRing) error{
		"item":  func(ctx *cmwq.Context, next int, r *waitRing) error { return r.items[next].Flush(ctx) },
		"queue": func(ctx *cmwq.Context, next int, r *waitRing) error { return r.queues[next].Flush(ctx) },
		"drain": func(ctx *cmwq.Context, next int, r *waitRing) error { return r.queues[next].Drain(ctx) },
		"mixed": func(ctx *cmwq.Context, next int, r *waitRing) error {
			if next%2 == 0 {
				return r.queues[next].Flush(ctx)
			}
			return r.items[next].Flush(ctx)
		},
		// A wait with the context of a cancelled item ends with it: no deadlock.
		"cancel": func(ctx *cmwq.Context, next int, r *waitRing) error {
			_, err := r.items[next].CancelWait(context.WithoutCancel(ctx))
			return err
		},
	}
	for name, wait := range ways {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{2, 3, 5} {
				bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
					r := newWaitRing(t, sys, n, wait)
					for i := range n - 1 {
						r.begin[i] <- struct{}{}
						synctest.Wait()
						require.Empty(t, r.errs[i], "the ring is open")
					}
					r.begin[n-1] <- struct{}{}
					err := <-r.errs[n-1]
					requireDeadlock(t, err, string(rune('a'+n-1)), "a")
					var d *cmwq.DeadlockError
					require.ErrorAs(t, err, &d)
					require.Equal(t, "item "+string(rune('0'+n-1)), d.Who.Desc)
					require.GreaterOrEqual(t, len(d.Chain), n-2)
					for i := range n - 1 {
						require.NoError(t, <-r.errs[i], "who gave way ended, and let the others go on")
					}
				}, noGauges())
			}
		})
	}
}

// Items that close a ring at the same moment: one sees it at least, and no item
// waits for ever.
func TestOneOfARingThatClosesAtOnceSeesIt(t *testing.T) {
	sys := start(t, silent())
	a, b := queue(t, sys, "a", cmwq.Unbound()), queue(t, sys, "b", cmwq.Unbound())
	for round := range short.Rounds(200) {
		var begin sync.WaitGroup
		begin.Add(2)
		errs := make(chan error, 2)
		var items [2]*cmwq.Work
		for i := range items {
			items[i] = cmwq.NewWork(func(ctx *cmwq.Context) error {
				begin.Done()
				ctx.Block(begin.Wait)
				if round%3 == 0 {
					runtime.Gosched()
				}
				if round%2 == 0 {
					errs <- items[1-i].Flush(ctx)
				} else {
					errs <- []*cmwq.Queue{b, a}[i].Flush(ctx)
				}
				return nil
			})
		}
		require.NoError(t, a.Queue(items[0]))
		require.NoError(t, b.Queue(items[1]))
		seen := 0
		for range items {
			select {
			case err := <-errs:
				if errors.Is(err, cmwq.ErrDeadlock) {
					seen++
				} else {
					require.NoError(t, err)
				}
			case <-time.After(20 * time.Second):
				t.Fatal("they wait for each other")
			}
		}
		if seen == 0 { // one had ended before the other began to wait
			t.Log("no ring in round", round)
		}
		require.NoError(t, a.Flush(bg))
		require.NoError(t, b.Flush(bg))
	}
}

// A ring of waits with futures: each needs the value of the next.
func TestFuturesThatNeedEachOtherAreADeadlock(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		var futs [3]*cmwq.Future[int]
		begin := make(chan struct{})
		for i := range futs {
			futs[i] = cmwq.Submit(q, func(ctx *cmwq.Context) (int, error) {
				if _, err := cmwq.Await(ctx, begin); err != nil {
					return 0, err
				}
				v, err := futs[(i+1)%3].Wait(ctx)
				if errors.Is(err, cmwq.ErrDeadlock) {
					return 1, nil // the one that gives way
				}
				return v + 1, err
			})
		}
		synctest.Wait()
		for range futs {
			begin <- struct{}{}
			synctest.Wait()
		}
		sum := 0
		for _, f := range futs {
			v, err := f.Wait(bg)
			require.NoError(t, err)
			sum += v
		}
		require.Equal(t, 1+2+3, sum)
	}, noGauges())
}
