package actors

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

var errFault = errors.New("injected")

// famine makes no worker while it is set, and counts what it refused.
type famine struct {
	on      atomic.Bool
	refused atomic.Int32
}

func (f *famine) set(o *Options) {
	o.CreateFault = func(what, _ string) error {
		if what == "worker" && f.on.Load() {
			f.refused.Add(1)
			return errFault
		}
		return nil
	}
}

// starve has the only worker of a one-CPU system sleep in an item, and begins a
// famine. The channel ends the item.
func starve(t *testing.T, sys *System, f *famine) (wake chan struct{}) {
	t.Helper()
	q := newTestQueue(t, sys, "sleeper", QueueOptions{Kind: PerCPU})
	synctest.Wait()
	f.on.Store(true)
	j, open := newHeld()
	j.on(t, q)
	<-j.entered
	synctest.Wait()
	return open
}

// Conformance 59: a rescuer passes by each of n foreign items once, however many
// times it comes and whatever its own m items do.
func TestScanIsLinear(t *testing.T) {
	const n, m = 1500, 300
	for _, sleeps := range []bool{false, true} {
		f := &famine{}
		bubble(t, 1, f.set, func(t *testing.T, sys *System) {
			wake := starve(t, sys, f)
			plain := newTestQueue(t, sys, "plain", QueueOptions{Kind: PerCPU, MaxActive: 2048})
			q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU, MaxActive: 2048, MemReclaim: true})
			var ran atomic.Int32
			own := 0
			for i := range n + m {
				if i%6 == 5 {
					own++
					require.NoError(t, q.Go(func(ctx *messages.Context) error {
						if sleeps {
							_ = ctx.Sleep(time.Microsecond)
						}
						ran.Add(1)
						return nil
					}, false))
					continue
				}
				require.NoError(t, plain.Go(func(*messages.Context) error { return nil }, false))
			}
			require.NoError(t, q.Flush(t.Context()))
			require.EqualValues(t, own, ran.Load())
			s := q.table.Load().shares[0]
			if !sleeps {
				require.LessOrEqual(t, s.scanned, int64(n+m))
			} else { // one that sleeps gives up to 16 back, which are looked at again
				require.LessOrEqual(t, s.scanned, int64(n+policy.RescueBatch*m))
			}
			f.on.Store(false)
			require.NoError(t, plain.Flush(t.Context()))
			require.False(t, s.scanning, "no cursor is left behind")
			require.Nil(t, s.cursor)
			close(wake)
		})
	}
}

// The cursor's item may leave the worklist by every way there is, and items of the
// share may come back in front of it.
func TestCursorSurvivesItsItem(t *testing.T) {
	f := &famine{}
	bubble(t, 1, f.set, func(t *testing.T, sys *System) {
		wake := starve(t, sys, f)
		plain := newTestQueue(t, sys, "plain", QueueOptions{Kind: PerCPU})
		other := newTestQueue(t, sys, "other", QueueOptions{Kind: PerCPU, MemReclaim: true})
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU, MemReclaim: true})
		p := q.table.Load().shares[0].pool
		foreign := []*job{newJob(nil), newJob(nil), newJob(nil)}
		held, open := newHeld()
		otherHeld, otherOpen := newHeld()
		foreign[0].on(t, plain)
		otherHeld.on(t, other)
		foreign[1].on(t, plain)
		held.on(t, q)
		foreign[2].on(t, plain)
		rest := []*job{newJob(nil), newJob(nil)}
		rest[0].on(t, q)
		rest[1].on(t, other)
		time.Sleep(11 * time.Millisecond)
		synctest.Wait() // both rescuers sleep in their first item
		require.EqualValues(t, 1, held.ran.Load())
		require.EqualValues(t, 1, otherHeld.ran.Load())
		require.Len(t, p.rescue.scans, 2)
		require.Same(t, &foreign[2].it, q.table.Load().shares[0].cursor)
		require.True(t, Cancel(&foreign[2].it))
		synctest.Wait()
		require.Same(t, &foreign[1].it, q.table.Load().shares[0].cursor, "the cursor goes to the item before")
		require.True(t, Cancel(&foreign[1].it))
		require.True(t, Cancel(&foreign[0].it))
		synctest.Wait()
		require.Nil(t, q.table.Load().shares[0].cursor, "or to the head")
		close(open)
		close(otherOpen)
		require.NoError(t, q.Flush(t.Context()))
		require.NoError(t, other.Flush(t.Context()))
		require.EqualValues(t, 1, rest[0].ran.Load())
		require.EqualValues(t, 1, rest[1].ran.Load())
		f.on.Store(false)
		close(wake)
	})
}

// An item that is queued while it runs on a rescuer waits for that rescuer; cancel,
// flush and disable find it there.
func TestItemOnARescuerIsFound(t *testing.T) {
	f := &famine{}
	bubble(t, 1, f.set, func(t *testing.T, sys *System) {
		wake := starve(t, sys, f)
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU, MemReclaim: true})
		var at atomic.Int32
		j := newJob(func(ctx *messages.Context) error {
			require.EqualValues(t, 1, at.Add(1), "it runs twice at once")
			defer at.Add(-1)
			require.True(t, ctx.IsRescuer())
			return ctx.Sleep(time.Hour)
		})
		j.on(t, q)
		<-j.entered
		s := j.it.State()
		require.Equal(t, messages.MaxWorkers-1, s.Worker())
		require.Equal(t, q.table.Load().shares[0].pool.id, s.Runner())
		j.on(t, q) // again, while it runs: parked
		synctest.Wait()
		flushed := make(chan error, 1)
		go func() { flushed <- Flush(t.Context(), &j.it) }()
		synctest.Wait()
		was, err := CancelWait(t.Context(), &j.it)
		require.NoError(t, err)
		require.True(t, was)
		require.NoError(t, <-flushed)
		require.EqualValues(t, 1, j.ran.Load())

		quick := newJob(nil)
		j.on(t, q)
		<-j.entered
		j.on(t, q)
		quick.on(t, q)
		flushed = make(chan error, 1)
		go func() { flushed <- Flush(t.Context(), &quick.it) }()
		time.Sleep(59 * time.Minute)
		require.Empty(t, flushed)
		require.NoError(t, <-flushed)
		require.EqualValues(t, 1, quick.ran.Load())
		require.EqualValues(t, 3, j.ran.Load(), "the parked one came first: it was queued first")
		f.on.Store(false)
		close(wake)
	})
}

// A rescued item may panic, call Goexit, or fail; the rescuer goes on.
func TestRescuedItemFails(t *testing.T) {
	f := &famine{}
	var failures atomic.Int32
	bubble(t, 1, func(o *Options) {
		f.set(o)
		o.OnFailure = func(*Queue, *messages.Failed) { failures.Add(1) }
	}, func(t *testing.T, sys *System) {
		wake := starve(t, sys, f)
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU, MemReclaim: true, MaxActive: 3})
		var ran atomic.Int32
		for i := range 60 {
			require.NoError(t, q.Go(func(ctx *messages.Context) error {
				ran.Add(1)
				require.True(t, ctx.IsRescuer())
				return failing(ctx, i)
			}, false))
		}
		require.NoError(t, q.Flush(t.Context()))
		synctest.Wait()
		require.EqualValues(t, 60, ran.Load())
		st, err := q.Stats(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 40, st.Failed)
		require.EqualValues(t, 40, failures.Load())
		require.EqualValues(t, 60, st.Rescued)
		require.Equal(t, []int{0, 0, 0}, []int{st.Active, st.Inactive, st.Running})
		f.on.Store(false)
		close(wake)
	})
}

func failing(ctx *messages.Context, i int) error {
	switch i % 6 {
	case 0:
		return fmt.Errorf("item %d", i)
	case 1:
		panic(i)
	case 2:
		goexit()
	case 3:
		ctx.Block(goexit)
	case 4:
		return ctx.Sleep(time.Millisecond)
	}
	return nil
}

func goexit() { runtime.Goexit() }

// Items that a worker gives back come to the worklist's head, in front of a cursor;
// and a worker may take the cursor's item with a lease. Neither is missed.
func TestCursorAndTheListsHead(t *testing.T) {
	f := &famine{}
	bubble(t, 1, f.set, func(t *testing.T, sys *System) {
		plain := newTestQueue(t, sys, "plain", QueueOptions{Kind: Unbound})
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: Unbound, MemReclaim: true})
		wait := func() (*job, chan struct{}) { // it does not say that it waits: it counts
			open := make(chan struct{})
			return newJob(func(*messages.Context) error { <-open; return nil }), open
		}
		for range 3 {
			newJob(nil).on(t, q) // q's items are known to be short
			require.NoError(t, q.Flush(t.Context()))
		}
		synctest.Wait()
		p := q.table.Load().shares[0].pool
		f.on.Store(true)
		var opens []chan struct{}
		var gates []*job
		for range p.pol.Workers() - 1 { // all but one sleep
			j, open := newHeld()
			gates, opens = append(gates, j.on(t, plain)), append(opens, open)
			<-gates[len(gates)-1].entered
		}
		gate, open := wait()
		gate.on(t, plain)
		<-gate.entered // nobody is idle, and nobody comes
		first, firstOpen := wait()
		first.on(t, q)
		rest := []*job{newJob(nil), newJob(nil), newJob(nil), newJob(nil)}
		for _, j := range rest[:3] {
			j.on(t, q)
		}
		foreign, foreignOpen := wait()
		foreign.on(t, plain)
		held, heldOpen := newHeld()
		held.on(t, q)
		time.Sleep(9900 * time.Microsecond)
		close(open) // the worker takes a lease of q's, and is in its first item
		<-first.entered
		taken, end := p.workers[first.it.State().Worker()].lease.Progress()
		require.Equal(t, []int{1, 4}, []int{taken, end})
		time.Sleep(150 * time.Microsecond)
		synctest.Wait() // the rescuer sleeps in held; it has passed by foreign
		require.EqualValues(t, 1, held.ran.Load())
		require.Same(t, &foreign.it, q.table.Load().shares[0].cursor)
		require.False(t, Cancel(&rest[3].it)) // it is idle: but any question takes leases back
		rest[3].on(t, q)
		require.True(t, Cancel(&rest[3].it))
		synctest.Wait()
		require.Same(t, &rest[0].it, p.list.first, "what the worker gave back")
		require.Nil(t, q.table.Load().shares[0].cursor)
		close(heldOpen) // the rescuer comes back for it
		synctest.Wait()
		require.EqualValues(t, 1, rest[0].ran.Load())
		require.EqualValues(t, 1, rest[1].ran.Load())

		newJob(nil).on(t, q)
		again, againOpen := newHeld()
		again.on(t, q)
		time.Sleep(100 * time.Millisecond)
		synctest.Wait()
		require.Same(t, &foreign.it, q.table.Load().shares[0].cursor)
		close(firstOpen)
		<-foreign.entered
		require.Nil(t, q.table.Load().shares[0].cursor, "a worker has taken the cursor's item")
		close(foreignOpen)
		close(againOpen)
		require.NoError(t, q.Flush(t.Context()))
		f.on.Store(false)
		for _, o := range opens {
			close(o)
		}
	})
}
