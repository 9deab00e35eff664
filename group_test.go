package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

var errOops = errors.New("oops")

func TestGroupGivesResultsInOrderAsTheyCome(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		g := cmwq.NewGroup[int](bg, queue(t, sys, "q"))
		at := since()
		for i, ms := range []int{30, 10, 20, 50} {
			g.Submit(func(ctx *cmwq.Context) (int, error) {
				return i, ctx.Sleep(time.Duration(ms) * time.Millisecond)
			})
			g.Go(nop) // has no result
		}
		var got, when []int
		for v, err := range g.Results() {
			require.NoError(t, err)
			got, when = append(got, v), append(when, at())
		}
		require.Equal(t, []int{0, 1, 2, 3}, got)
		require.Equal(t, []int{30, 30, 30, 50}, when)
		require.NoError(t, g.Wait(bg))
		for v, err := range g.Results() {
			require.NoError(t, err)
			require.Equal(t, 0, v)
			break
		}
		g.Submit(func(*cmwq.Context) (int, error) { return 4, nil })
		require.NoError(t, g.Wait(bg), "it may be used again")
	})
}

func TestGroupFirstErrorCancelsTheRest(t *testing.T) {
	for name, c := range map[string]struct {
		fail func(*cmwq.Context) error
		is   func(error) bool
	}{
		"error":  {func(*cmwq.Context) error { return errOops }, func(err error) bool { return errors.Is(err, errOops) }},
		"panic":  {func(*cmwq.Context) error { panic(errOops) }, func(err error) bool { var p *cmwq.PanicError; return errors.As(err, &p) }},
		"goexit": {func(*cmwq.Context) error { runtime.Goexit(); return nil }, func(err error) bool { return errors.Is(err, cmwq.ErrGoexit) }},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.Unbound(), cmwq.MaxActive(2))
				g := cmwq.NewGroup[string](bg, q)
				open := make(chan struct{})
				var ran atomic.Int32
				running := g.Submit(func(ctx *cmwq.Context) (string, error) {
					<-ctx.Done()
					return "ended", context.Cause(ctx)
				})
				g.Go(func(ctx *cmwq.Context) error {
					_, err := cmwq.Await(ctx, open)
					if err != nil {
						return err
					}
					return c.fail(ctx)
				})
				waiting := g.Submit(func(*cmwq.Context) (string, error) { ran.Add(1); return "", nil })
				synctest.Wait()
				close(open)
				err := g.Wait(bg)
				require.True(t, c.is(err), err)
				v, err := running.Wait(bg)
				require.Equal(t, "ended", v)
				require.True(t, c.is(err), "the cause is the first error: %v", err)
				_, err = waiting.Wait(bg)
				require.ErrorIs(t, err, cmwq.ErrCancelled)
				require.ErrorIs(t, err, g.Wait(bg))
				_, err = g.Submit(func(*cmwq.Context) (string, error) { ran.Add(1); return "", nil }).Wait(bg)
				require.ErrorIs(t, err, cmwq.ErrCancelled, "nothing runs any more")
				n := 0
				for _, err := range g.Results() {
					require.Error(t, err)
					n++
				}
				require.Equal(t, 3, n)
				require.Zero(t, ran.Load())
				synctest.Wait() // a result is there before its item has ended
				st, err := q.Stats(bg)
				require.NoError(t, err)
				require.Zero(t, st.Active+st.Inactive, "it was taken off the queue")
				require.Zero(t, st.Dropped, "which is not to be dropped")
			})
		})
	}
}

func TestGroupEndsWithItsContext(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Ordered())
		ctx, cancel := context.WithCancelCause(bg)
		g := cmwq.NewGroup[int](ctx, q)
		var cause error
		g.Go(func(ctx *cmwq.Context) error { cause = ctx.Sleep(time.Hour); return nil })
		late := g.Submit(func(*cmwq.Context) (int, error) { return 1, nil })
		short, stop := context.WithTimeout(bg, time.Second)
		defer stop()
		require.ErrorIs(t, g.Wait(short), context.DeadlineExceeded, "who waits may give up")
		cancel(errOops)
		require.ErrorIs(t, g.Wait(bg), errOops)
		require.ErrorIs(t, cause, errOops)
		_, err := late.Wait(bg)
		require.ErrorIs(t, err, errOops)

		ctx, cancel = context.WithCancelCause(bg)
		g = cmwq.NewGroup[int](ctx, q)
		g.Go(nop)
		require.NoError(t, g.Wait(bg))
		cancel(errOops)
		require.NoError(t, g.Wait(bg), "what has ended stays so")
		_, err = g.Submit(func(*cmwq.Context) (int, error) { return 1, nil }).Wait(bg)
		require.ErrorIs(t, err, errOops)
	})
}

func TestGroupLimit(t *testing.T) {
	bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Unbound())
		g := cmwq.NewGroup[int](bg, q)
		g.SetLimit(3)
		at := since()
		var in, most atomic.Int32
		for i := range 10 {
			g.Submit(func(ctx *cmwq.Context) (int, error) {
				raise(&most, in.Add(1))
				defer in.Add(-1)
				return i, ctx.Sleep(10 * time.Millisecond)
			})
		}
		require.Zero(t, at(), "nobody waits")
		require.NoError(t, g.Wait(bg))
		require.Equal(t, 40, at())
		require.EqualValues(t, 3, most.Load())
		g.SetLimit(0)
		g.Go(nop)
		drained := make(chan error, 1)
		synctest.Wait()
		g.SetLimit(1)
		require.NoError(t, g.Wait(bg))

		for range 3 { // while the queue drains, those that are held go on as its own items
			g.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(10 * time.Millisecond) })
		}
		go func() { drained <- q.Drain(bg) }()
		require.NoError(t, g.Wait(bg))
		require.NoError(t, <-drained)

		failed := cmwq.NewGroup[int](bg, q)
		failed.SetLimit(1)
		failed.Go(func(ctx *cmwq.Context) error { _ = ctx.Sleep(time.Millisecond); return errOops })
		held := failed.Submit(func(*cmwq.Context) (int, error) { return 1, nil })
		require.ErrorIs(t, failed.Wait(bg), errOops)
		_, err := held.Wait(bg)
		require.ErrorIs(t, err, cmwq.ErrCancelled)
	})
}

func TestGroupWaitsForRoom(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Ordered(), cmwq.Bounded(1, cmwq.Refuse))
		g := cmwq.NewGroup[int](bg, q)
		at := since()
		for i := range 5 {
			g.Submit(func(ctx *cmwq.Context) (int, error) { return i, ctx.Sleep(10 * time.Millisecond) })
		}
		require.GreaterOrEqual(t, at(), 30)
		require.NoError(t, g.Wait(bg))
		require.Equal(t, 50, at())
		refused := cmwq.NewGroup[int](bg, q)
		refused.Submit(nil)
		require.ErrorIs(t, refused.Wait(bg), cmwq.ErrNoFunc, "a refusal is an error like any")
	})
}

func TestGroupInsideAnItem(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Ordered())
		other := queue(t, sys, "other", cmwq.PerCPU())
		err := inItem(t, q, func(ctx *cmwq.Context, _ *cmwq.Work) error {
			g := cmwq.NewGroup[int](ctx, other)
			g.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Second) })
			return g.Wait(ctx)
		})
		require.NoError(t, err)
		err = inItem(t, q, func(ctx *cmwq.Context, _ *cmwq.Work) error {
			g := cmwq.NewGroup[int](ctx, q)
			g.Go(nop)
			g.Go(nop)
			return g.Wait(ctx)
		})
		requireDeadlock(t, err, "q", "q")
		b := queue(t, sys, "bh", cmwq.BH())
		err = inItem(t, b, func(ctx *cmwq.Context, _ *cmwq.Work) error {
			g := cmwq.NewGroup[int](ctx, other)
			g.Go(nap) // it cannot have ended by then
			return g.Wait(ctx)
		})
		require.ErrorIs(t, err, cmwq.ErrAtomic)
	})
}

// TestStressGroup ends groups at random while their members start, run and end: every
// member has a result, none runs after its group has ended, and nothing hangs.
func TestStressGroup(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			sys := start(t, silent())
			q := queue(t, sys, "q", kind)
			for round := range short.Rounds(60) {
				ctx, cancel := context.WithCancelCause(bg)
				g := cmwq.NewGroup[int](ctx, q)
				g.SetLimit(round%5 - 1)
				if round%5 == 1 {
					g.SetLimit(1)
				}
				fails := rand.IntN(60)
				for i := range 50 {
					g.Submit(func(ctx *cmwq.Context) (int, error) {
						switch {
						case i == fails:
							return 0, errOops
						case i%7 == 3:
							return i, ctx.Sleep(10 * time.Microsecond)
						}
						return i, nil
					})
					if i == 30 && round%3 == 0 {
						cancel(fmt.Errorf("cancelled"))
					}
				}
				err := g.Wait(bg)
				n := 0
				for v, e := range g.Results() {
					if e == nil {
						require.Equal(t, n, v)
					} else {
						require.Error(t, err)
					}
					n++
				}
				require.Equal(t, 50, n)
				cancel(nil)
			}
		})
	}
}
