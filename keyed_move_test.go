package cmwq_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// A Work queues itself with another key while it runs: it never runs twice at
// once, nor beside another of its key, though keys have different pools.
func TestAnItemGoesFromKeyToKey(t *testing.T) {
	bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
		const keys, rounds = 10, 50
		q := queue(t, sys, "q", cmwq.PerCPU())
		var in [keys]atomic.Int32
		var self, ran atomic.Int32
		one := func(key int, body func() error) error {
			if in[key].Add(1) != 1 {
				t.Error("two of one key at once")
			}
			defer in[key].Add(-1)
			return body()
		}
		walker := cmwq.NewWork(nil)
		key := 0
		walker.Func = func(ctx *cmwq.Context) error {
			if self.Add(1) != 1 {
				t.Error("it runs twice at once")
			}
			defer self.Add(-1)
			here := key
			return one(here, func() error {
				if ran.Add(1) == rounds {
					return nil
				}
				key = (key + 1) % keys
				if err := cmwq.CurrentQueue(ctx).Keyed(key).Queue(walker); err != nil {
					return err
				}
				return ctx.Sleep(time.Millisecond)
			})
		}
		for i := range 10 * keys {
			require.NoError(t, q.Keyed(i%keys).Go(func(ctx *cmwq.Context) error {
				return one(i%keys, func() error { return ctx.Sleep(time.Millisecond) })
			}))
		}
		require.NoError(t, q.Keyed(0).Queue(walker))
		require.NoError(t, q.Drain(bg))
		require.EqualValues(t, rounds, ran.Load())
	})
}

// While an item waits, with its new key, for its own execution with the old one,
// it can be cancelled, flushed, and queued no second time; and the new key waits
// for it.
func TestAnItemThatRunsWithAnotherKey(t *testing.T) {
	for from := range 4 { // to a pool of the same CPU, and to others
		t.Run(fmt.Sprint(from), func(t *testing.T) {
			bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.PerCPU())
				g := newGate()
				require.NoError(t, q.QueueOn(from, g.Work))
				<-g.entered
				var got record
				key := q.Keyed("k")
				require.NoError(t, key.Queue(g.Work))
				require.ErrorIs(t, key.Queue(g.Work), cmwq.ErrPending)
				require.NoError(t, key.Go(func(*cmwq.Context) error { got.add(1); return nil }))
				synctest.Wait()
				require.Empty(t, got.get(), "it is behind the gate")
				require.Equal(t, cmwq.Busy{Pending: true, Running: true}, g.Busy())
				require.True(t, g.Cancel())
				synctest.Wait()
				require.Equal(t, []int{1}, got.get())

				require.NoError(t, key.Queue(g.Work))
				flushed := make(chan error, 1)
				go func() { flushed <- g.Flush(bg) }()
				g.open <- struct{}{}
				<-g.entered
				synctest.Wait()
				require.Empty(t, flushed, "the second execution is flushed")
				g.open <- struct{}{}
				require.NoError(t, <-flushed)

				require.NoError(t, q.QueueOn(from, g.Work))
				<-g.entered
				require.NoError(t, key.Queue(g.Work))
				go func() { _, err := g.CancelWait(bg); flushed <- err }()
				synctest.Wait()
				require.Equal(t, cmwq.Busy{Running: true, Disabled: true}, g.Busy())
				g.open <- struct{}{}
				require.NoError(t, <-flushed)
				require.NoError(t, q.Flush(bg))
			})
		})
	}
}

// A key's pool waits for an execution in a lease of several elsewhere: it need not
// wait for the others of that lease.
func TestAnItemThatRunsElsewhereDoesNotWaitForItsLease(t *testing.T) {
	for cpu := range 2 { // one of them is the key's
		bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
			q := queue(t, sys, "q", cmwq.PerCPU())
			nop := cmwq.NewWork(func(*cmwq.Context) error { return nil })
			for range 3 { // items of that CPU are known to be short
				require.NoError(t, q.QueueOn(cpu, nop))
				require.NoError(t, q.Flush(bg))
			}
			at, entered, open := since(), make(chan struct{}), make(chan struct{})
			require.NoError(t, q.QueueOn(cpu, cmwq.NewWork(func(*cmwq.Context) error {
				close(entered)
				<-open // undeclared: the next ones wait, and are leased together
				return nil
			})))
			<-entered
			var ran atomic.Int32
			w := cmwq.NewWork(nil)
			w.Func = func(ctx *cmwq.Context) error {
				if ran.Add(1) == 1 {
					return cmwq.CurrentQueue(ctx).Keyed("k").Queue(w)
				}
				if ctx.CPU() != cpu && at() != 0 {
					t.Errorf("the key waited %d ms", at())
				}
				return nil
			}
			require.NoError(t, q.QueueOn(cpu, w))
			require.NoError(t, q.QueueOn(cpu, cmwq.NewWork(func(*cmwq.Context) error {
				time.Sleep(100 * time.Millisecond)
				return nil
			})))
			close(open)
			require.NoError(t, q.Drain(bg))
			require.EqualValues(t, 2, ran.Load())
		})
	}
}
