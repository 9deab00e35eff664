package actors

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

var atOnceGone = time.Duration(0)

// Who passed the check of the queue's flags before it was abandoned, and pushes only
// now, finds the pools: what it pushes is dropped, and told of.
func TestWhatComesAfterAbandonIsDropped(t *testing.T) {
	bubble(t, 2, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Shutdown: &atOnceGone, Bound: 10})
		tables := q.table.Load()
		sys.as.Root.Stop(q.pid)
		<-q.gone.done()
		never := func(*messages.Context) error { t.Error("ran"); return nil }
		s := tables.shares[0]
		work, call := &messages.Item{}, s.pool.free.get()
		_, err := claim(work, s.pool.id, 0)
		require.NoError(t, err)
		work.Func, call.Func = never, never
		q.bound.force()
		q.bound.force()
		q.bound.force()
		require.True(t, s.push(work))
		require.True(t, s.push(call))
		keyed := &messages.Item{Func: never}
		_, err = claim(keyed, messages.NoPlace, 0)
		require.NoError(t, err)
		require.NoError(t, newLane(s, "k", 0).place(keyed))
		synctest.Wait()
		require.Zero(t, work.State()&messages.Pending)
		require.Zero(t, keyed.State()&messages.Pending)
		require.EqualValues(t, 3, q.has().dropped.Load())
		require.Empty(t, q.bound.room, "and its room is given back")
	})
}

// A rescuer is there until its worker is back: the lease that it has, or is about to
// get, is not lost with it, and the pool goes on.
func TestAnAbandonedQueueHasItsRescuerBack(t *testing.T) {
	for name, waits := range map[string]bool{"while it runs an item": true, "before it is called": false} {
		t.Run(name, func(t *testing.T) {
			f := &famine{}
			bubble(t, 1, f.set, func(t *testing.T, sys *System) {
				wake := starve(t, sys, f)
				q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU, MemReclaim: true, Shutdown: &atOnceGone})
				var why atomic.Value
				begun := make(chan struct{}, 1)
				for range 3 {
					require.NoError(t, q.Go(func(ctx *messages.Context) error {
						begun <- struct{}{}
						<-ctx.Done()
						why.Store(context.Cause(ctx))
						return nil
					}, false))
				}
				if waits {
					<-begun // on the rescuer, 10 ms later
				}
				sys.as.Root.Stop(q.pid)
				<-q.gone.done()
				if waits {
					require.Equal(t, messages.ErrAbandoned, why.Load())
					require.EqualValues(t, 2, q.has().dropped.Load())
				} else {
					require.EqualValues(t, 3, q.has().dropped.Load())
				}
				wake <- struct{}{}
				f.on.Store(false)
				other := newTestQueue(t, sys, "other", QueueOptions{Kind: PerCPU})
				require.NoError(t, other.Go(func(*messages.Context) error { return nil }, false))
				require.NoError(t, other.Flush(t.Context()))
			})
		})
	}
}

// A lease that the rescuer's worker has not begun is not lost with it.
func TestAnAbandonedQueueWaitsForItsRescuersLease(t *testing.T) {
	f := &famine{}
	bubble(t, 1, f.set, func(t *testing.T, sys *System) {
		wake := starve(t, sys, f)
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU, MemReclaim: true, Shutdown: &atOnceGone})
		synctest.Wait()
		box := &q.rescuer.w.box
		box.running.Store(true) // whoever runs it is slow
		require.NoError(t, q.Go(func(*messages.Context) error { t.Error("ran"); return nil }, false))
		time.Sleep(20 * time.Millisecond)
		require.NotNil(t, box.lease.Load())
		sys.as.Root.Stop(q.pid)
		synctest.Wait()
		require.EqualValues(t, 1, q.has().dropped.Load())
		require.False(t, q.isGone())
		sys.disp.Schedule(box.runFn)
		<-q.gone.done()
		wake <- struct{}{}
	})
}

// A queue that failed is suspended until its parent has decided. If that is to stop it,
// it drains all the same.
func TestASuspendedQueueThatIsStoppedDrains(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{MaxActive: 1})
		var ran atomic.Int32
		for range 3 {
			require.NoError(t, q.Go(func(ctx *messages.Context) error { ran.Add(1); return ctx.Sleep(time.Second) }, false))
		}
		q.box.PostSystemMessage(&actor.SuspendMailbox{})
		synctest.Wait()
		done := make(chan error, 1)
		q.send(&messages.Flush{Done: done})
		synctest.Wait()
		time.Sleep(10 * time.Second)
		require.Empty(t, done, "it hears nothing")
		require.NoError(t, q.Go(func(*messages.Context) error { ran.Add(1); return nil }, false))
		sys.as.Root.Stop(q.pid)
		<-q.gone.done()
		require.NoError(t, <-done)
		require.EqualValues(t, 4, ran.Load())
	})
}

// testBox is the mailbox of a queue that is not there.
func testBox(i actor.MessageInvoker, d *dispatcher) *queuebox {
	b := &queuebox{}
	b.open(&Queue{sys: &System{disp: d}})
	b.RegisterHandlers(i, nil)
	return b
}

// nobody has no address.
type nobody struct{}

func (nobody) Self() *actor.PID { return nil }

// stumbling panics on some messages, and keeps the others.
type stumbling struct {
	nobody
	got []any
}

func (f *stumbling) InvokeSystemMessage(msg any) { f.InvokeUserMessage(msg) }
func (f *stumbling) EscalateFailure(_, msg any)  { f.got = append(f.got, "failed") }

func (f *stumbling) InvokeUserMessage(msg any) {
	if msg == "bad" {
		panic(msg)
	}
	f.got = append(f.got, msg)
}

// A panic costs the message that it came of, and no other.
func TestAQueueboxGoesOnAfterAPanic(t *testing.T) {
	d := newDispatcher(1)
	f := &stumbling{}
	b := testBox(f, d) // not started, so that all are there when it begins
	for _, m := range []any{1, "bad", 2} {
		b.PostUserMessage(m)
		b.PostSystemMessage(m)
	}
	b.run()
	require.Equal(t, []any{1, "failed", 2, 1, "failed", 2}, f.got)
	require.NoError(t, d.close(t.Context()))
}

// Messages and the end of a turn, again and again: none is left lying.
func TestAQueueboxLosesNoMessage(t *testing.T) {
	const senders, each = 4, 2000
	d := newDispatcher(2)
	var got atomic.Int64
	all := make(chan struct{})
	b := testBox(counting{n: &got, all: senders * each, done: all}, d)
	b.Start()
	for range senders {
		d.Schedule(func() {
			for i := range each {
				if i%2 == 0 {
					b.PostSystemMessage(i)
				} else {
					b.PostUserMessage(i)
				}
			}
		})
	}
	<-all
	require.NoError(t, d.close(t.Context()))
}

type counting struct {
	nobody
	n    *atomic.Int64
	all  int64
	done chan struct{}
}

func (c counting) InvokeSystemMessage(msg any)  { c.InvokeUserMessage(msg) }
func (c counting) EscalateFailure(_ any, _ any) {}
func (c counting) InvokeUserMessage(any) {
	if c.n.Add(1) == c.all {
		close(c.done)
	}
}
