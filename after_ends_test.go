package cmwq_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

func TestAfterItsQueueEnds(t *testing.T) {
	for name, want := range map[string]error{"destroy": cmwq.ErrDestroyed, "stop": cmwq.ErrStopped, "drain": cmwq.ErrDraining} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				from, q := queue(t, sys, "from"), queue(t, sys, "q")
				dep := cmwq.NewWork(pauses(time.Second))
				require.NoError(t, from.Queue(dep))
				fut := cmwq.Submit(q.After(dep), func(*cmwq.Context) (int, error) { return 1, nil })
				next := cmwq.Submit(from.After(fut).OnlyOK(), func(*cmwq.Context) (int, error) { return 1, nil })
				at := since()
				switch name {
				case "destroy":
					require.NoError(t, q.Destroy(bg))
				case "stop":
					require.NoError(t, sys.Stop(bg))
				case "drain":
					require.NoError(t, q.Go(pauses(2*time.Second)))
					go func() { _ = q.Drain(bg) }()
				}
				_, err := fut.Wait(bg)
				require.ErrorIs(t, err, want)
				if name == "drain" {
					require.Equal(t, 1000, at(), "when its turn has come")
				}
				_, err = next.Wait(bg)
				require.Error(t, err)
			})
		})
	}
}

func TestAfterNoRing(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		w := cmwq.NewWork(nop)
		require.ErrorIs(t, q.After(w).Queue(w), cmwq.ErrCycle)
		require.ErrorIs(t, q.After(nil).Queue(w), cmwq.ErrOption)
		require.ErrorIs(t, q.After().Queue(&cmwq.Work{}), cmwq.ErrNoFunc)
		require.ErrorIs(t, q.Keyed(nil).After().Queue(w), cmwq.ErrKey)
		for _, wait := range []string{"future", "flush", "chain"} {
			err := inItem(t, q, func(ctx *cmwq.Context, self *cmwq.Work) error {
				later := cmwq.NewWork(nop)
				if err := q.After(self).Queue(later); err != nil {
					return err
				}
				switch wait {
				case "future":
					_, err := cmwq.Submit(q.After(self), func(*cmwq.Context) (int, error) { return 1, nil }).Wait(ctx)
					return err
				case "chain":
					_, err := cmwq.Submit(q.After(later), func(*cmwq.Context) (int, error) { return 1, nil }).Wait(ctx)
					return err
				}
				return later.Flush(ctx)
			})
			requireDeadlock(t, err, "q", "q")
			require.NoError(t, q.Flush(bg))
		}
	})
}

// TestStressAfter queues items of a graph at random, beside cancels and moves: each of
// them runs after all that it depends on, or is accounted for.
func TestStressAfter(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			sys := start(t, silent())
			queues := []*cmwq.Queue{queue(t, sys, "a", kind), queue(t, sys, "b", kind, cmwq.HighPri()), queue(t, sys, "c")}
			for range short.Rounds(40) {
				const n = 40
				futs := make([]*cmwq.Future[int], n)
				works := make([]*cmwq.Work, n)
				deps := make([][]int, n)
				for i := range n {
					q := queues[rand.IntN(3)]
					var of []cmwq.Dependency
					for range rand.IntN(4) {
						if i > 0 {
							j := rand.IntN(i)
							deps[i] = append(deps[i], j)
							if rand.IntN(2) == 0 {
								of = append(of, futs[j])
							} else {
								of = append(of, works[j])
							}
						}
					}
					check := func() {
						for _, j := range deps[i] {
							select {
							case <-futs[j].Done():
							default:
								t.Errorf("%d runs before %d has ended", i, j)
							}
						}
					}
					works[i] = cmwq.NewWork(func(*cmwq.Context) error { return nil })
					a := q.After(of...)
					if rand.IntN(3) == 0 {
						a = a.OnlyOK()
					}
					futs[i] = cmwq.Submit(a, func(ctx *cmwq.Context) (int, error) {
						check()
						if i%5 == 0 {
							_ = ctx.Sleep(time.Microsecond)
						}
						if i%11 == 10 {
							return 0, errOops
						}
						return i, nil
					})
					// The work ends after the future: whoever waits for it waits for both.
					err := q.After(futs[i]).Queue(works[i])
					require.NoError(t, err)
					switch rand.IntN(12) {
					case 0:
						futs[i].Cancel()
					case 1:
						_ = works[i].Flush(bg)
					}
				}
				for i := range n {
					_, err := futs[i].Wait(bg)
					if err != nil && !errors.Is(err, errOops) && !errors.Is(err, cmwq.ErrCancelled) && !errors.Is(err, cmwq.ErrDependency) {
						t.Fatal(err)
					}
					require.NoError(t, works[i].Flush(bg))
				}
			}
		})
	}
}
