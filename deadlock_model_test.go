package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// waiter is an item that does as it is told, one wait at a time.
type waiter struct {
	*cmwq.Work
	todo chan func(ctx context.Context) error // nil: end
	done chan error
}

// waitModel says who waits for which executions.
type waitModel struct {
	items []*waiter
	waits []map[int]bool // nil: it does not wait
	ended []bool
}

// reaches says whether i waits for j, by way of any number of others.
func (m *waitModel) reaches(i, j int, seen map[int]bool) bool {
	if i == j {
		return true
	}
	if seen[i] {
		return false
	}
	seen[i] = true
	for k := range m.waits[i] {
		if m.reaches(k, j, seen) {
			return true
		}
	}
	return false
}

// end lets an item end, and gives who goes on for it.
func (m *waitModel) end(i int) (free []int) {
	m.ended[i] = true
	for k, w := range m.waits {
		if w[i] {
			if delete(w, i); len(w) == 0 {
				m.waits[k] = nil
				free = append(free, k)
			}
		}
	}
	return free
}

// Items wait for each other and for each other's queues, and end, at random: a wait
// is refused exactly when a model of who waits for whom says that it closes a ring,
// and ends exactly when what it waits for has ended.
func TestRandomWaitsAgreeWithAModel(t *testing.T) {
	for _, i := range short.Some(60) {
		seed := uint64(i)
		rnd := rand.New(rand.NewPCG(seed, 7))
		bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
			const n = 6
			var queues [n / 2]*cmwq.Queue
			for i := range queues {
				queues[i] = queue(t, sys, fmt.Sprint(i))
			}
			m := &waitModel{waits: make([]map[int]bool, n), ended: make([]bool, n)}
			for i := range n {
				w := &waiter{todo: make(chan func(context.Context) error), done: make(chan error, 1)}
				w.Work = cmwq.NewWork(func(ctx *cmwq.Context) error {
					for {
						f, _ := cmwq.Await(ctx, w.todo)
						if f == nil {
							return nil
						}
						w.done <- f(ctx)
					}
				})
				m.items = append(m.items, w)
				require.NoError(t, queues[i/2].Queue(w.Work))
			}
			synctest.Wait()
			free := func() (l []int) {
				for i := range n {
					if !m.ended[i] && m.waits[i] == nil {
						l = append(l, i)
					}
				}
				return l
			}
			for range 40 {
				l := free()
				if len(l) == 0 {
					break
				}
				i := l[rnd.IntN(len(l))]
				if rnd.IntN(5) == 0 {
					goOn := m.end(i)
					m.items[i].todo <- nil
					synctest.Wait()
					for k := range n {
						require.Len(t, m.items[k].done, map[bool]int{true: 1, false: 0}[slices.Contains(goOn, k)], "seed %d", seed)
					}
					for _, k := range goOn {
						require.NoError(t, <-m.items[k].done)
					}
					continue
				}
				j := rnd.IntN(n)
				targets := map[int]bool{}
				var f func(ctx context.Context) error
				if rnd.IntN(2) == 0 {
					f = m.items[j].Flush
					targets[j] = true
				} else {
					f = queues[j/2].Flush
					targets[j], targets[j^1] = true, true
				}
				maps.DeleteFunc(targets, func(k int, _ bool) bool { return m.ended[k] })
				ring := false
				for k := range targets {
					ring = ring || m.reaches(k, i, map[int]bool{})
				}
				m.items[i].todo <- f
				synctest.Wait()
				switch {
				case ring:
					require.Len(t, m.items[i].done, 1, "seed %d", seed)
					require.ErrorIs(t, <-m.items[i].done, cmwq.ErrDeadlock)
				case len(targets) == 0:
					require.Len(t, m.items[i].done, 1, "seed %d", seed)
					require.NoError(t, <-m.items[i].done)
				default:
					require.Empty(t, m.items[i].done, "seed %d", seed)
					m.waits[i] = targets
				}
			}
			for l := free(); len(l) > 0; l = free() {
				m.items[l[0]].todo <- nil
				for _, k := range m.end(l[0]) {
					require.NoError(t, <-m.items[k].done)
				}
			}
			require.NotContains(t, m.ended, false, "somebody waits for ever")
		}, noGauges(), cmwq.WithHogThreshold(0))
	}
}

// Items of four queues, two of which have few slots, wait for whom they like, all at
// once. Whatever they run into, nobody waits for ever.
func TestStressRandomWaitsNeverHang(t *testing.T) {
	sys := start(t, silent())
	queues := []*cmwq.Queue{
		queue(t, sys, "managed"), queue(t, sys, "ordered", cmwq.Ordered()),
		queue(t, sys, "two", cmwq.MaxActive(2)), queue(t, sys, "percpu", cmwq.PerCPU(), cmwq.MaxActive(1)),
	}
	var items [12]*cmwq.Work
	var mu sync.Mutex
	count := map[string]int{}
	for i := range items {
		items[i] = cmwq.NewWork(func(ctx *cmwq.Context) error {
			for range 2 {
				var err error
				j := rand.IntN(len(items))
				other := items[j]
				switch rand.IntN(5) {
				case 0:
					err = queues[rand.IntN(len(queues))].Flush(ctx)
				case 1:
					_, err = other.CancelWait(ctx)
				case 2: // again, perhaps while it runs; on a queue of others, too
					if rand.IntN(2) == 0 {
						_ = queues[(j+rand.IntN(2))%len(queues)].Queue(other)
					}
				default:
					err = other.Flush(ctx)
				}
				what := "ended"
				switch {
				case errors.Is(err, cmwq.ErrDeadlock):
					what = "deadlock"
				case errors.Is(err, cmwq.ErrCancelled):
					what = "cancelled"
				case err != nil:
					t.Error(err)
				}
				mu.Lock()
				count[what]++
				mu.Unlock()
			}
			return nil
		})
	}
	ctx, cancel := context.WithTimeout(bg, 60*time.Second)
	defer cancel()
	for range short.Rounds(150) {
		for i, w := range items {
			if err := queues[i%len(queues)].Queue(w); err != nil {
				if !errors.Is(err, cmwq.ErrPending) { // else a run of the last round queued it
					require.ErrorIs(t, err, cmwq.ErrDisabled, "somebody cancels it")
				}
			}
		}
		for _, q := range queues {
			require.NoError(t, q.Flush(ctx), "somebody waits for ever")
		}
	}
	mu.Lock() // an item may have queued another on a queue that was flushed before
	defer mu.Unlock()
	require.Positive(t, count["deadlock"])
	require.Positive(t, count["ended"])
}

// A ring that goes through a queue's only slot: a waits for an item that waits for
// the slot of b, and b waits for a.
func TestARingThroughAQueuesOnlySlotIsADeadlock(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		m, o := queue(t, sys, "m"), queue(t, sys, "o", cmwq.Ordered())
		behind := cmwq.NewWork(func(*cmwq.Context) error { return nil })
		errs, begin := make(chan error, 1), make(chan struct{})
		a := cmwq.NewWork(func(ctx *cmwq.Context) error { errs <- behind.Flush(ctx); return nil })
		b := make(chan error, 1)
		require.NoError(t, o.Go(func(ctx *cmwq.Context) error {
			ctx.Block(func() { <-begin })
			b <- a.Flush(ctx)
			return nil
		}))
		synctest.Wait()
		require.NoError(t, o.Queue(behind))
		require.NoError(t, m.Queue(a))
		synctest.Wait()
		require.Empty(t, errs)
		close(begin)
		err := <-b
		requireDeadlock(t, err, "o", "m")
		var d *cmwq.DeadlockError
		require.ErrorAs(t, err, &d)
		require.Len(t, d.Chain, 1)
		require.Equal(t, cmwq.Party{Queue: "o", Item: true}, d.Chain[0], "the item that waits its turn")
		require.NoError(t, <-errs)
	}, noGauges())
}
