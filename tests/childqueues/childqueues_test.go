package childqueues

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/messages"
)

var (
	children = flag.Int("children", 100, "child queues at a time")
	items    = flag.Int("items", 8000, "items that are accepted; a quarter with -short")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// books are what became of the items.
type books struct{ accepted, refused, ran, cancelled atomic.Int64 }

// TestNothingIsLostWhenParentsAreKilled: producers queue in every way that there is
// while actors above the queues are stopped, poisoned and restarted.
func TestNothingIsLostWhenParentsAreKilled(t *testing.T) {
	w := newWorld(t, max(1, *children/perParent))
	var b books
	var producers, killers sync.WaitGroup
	over := make(chan struct{})
	var kills atomic.Int64
	for range 2 {
		killers.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
					w.parents[rand.IntN(len(w.parents))].kill()
					kills.Add(1)
				}
			}
		})
	}
	const each = 4
	for range each {
		producers.Go(func() { b.produce(t, w) })
	}
	producers.Wait()
	close(over)
	killers.Wait()
	for _, p := range w.parents {
		w.as.Root.Stop(p.pid)
	}
	for _, p := range w.parents {
		p.await(p.stopped, "stop")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	require.NoError(t, w.Stop(ctx))
	w.as.Shutdown()

	var dropped, told int64
	for _, q := range w.queues {
		st, _ := q.Stats(ctx) // Dropped is there after the end, too
		dropped += st.Dropped
	}
	for _, events := range w.events {
		for _, e := range events {
			told += int64(e.Dropped)
		}
	}
	t.Logf("%d kills of parents, %d queues: %d accepted, %d refused; %d ran, %d cancelled, %d dropped, %d of them in events",
		kills.Load(), len(w.queues), b.accepted.Load(), b.refused.Load(), b.ran.Load(), b.cancelled.Load(), dropped, told)
	require.Equal(t, b.accepted.Load(), b.ran.Load()+b.cancelled.Load()+dropped)
	require.LessOrEqual(t, told, dropped, "what came late is counted, and in no event")
	require.Positive(t, b.ran.Load())
	require.Positive(t, kills.Load())
	if kills.Load() > 20 {
		require.Positive(t, told)
	}
}

// book counts an item that was queued.
func (b *books) book(t *testing.T, err error) bool {
	switch {
	case err == nil:
		b.accepted.Add(1)
		return true
	case errors.Is(err, cmwq.ErrDestroyed):
		b.refused.Add(1)
	case !errors.Is(err, cmwq.ErrPending):
		t.Error(err)
	}
	return false
}

func (b *books) produce(t *testing.T, w *world) {
	f := func(ctx *cmwq.Context) error {
		b.ran.Add(1)
		switch rand.IntN(50) {
		case 0:
			_ = ctx.Sleep(time.Millisecond)
		case 1:
			return errors.New("fails")
		case 2:
			select { // it heeds its context
			case <-ctx.Done():
			case <-time.After(2 * time.Millisecond):
			}
		}
		return nil
	}
	slow := func(ctx *cmwq.Context) error {
		b.ran.Add(1)
		return ctx.Sleep(time.Duration(rand.IntN(3)) * time.Millisecond)
	}
	var own [8]*cmwq.Work
	for i := range own {
		own[i] = cmwq.NewWork(f)
	}
	var waiting sync.WaitGroup
	for enough := int64(short.AtLeast(*items/4, *items)); b.accepted.Load() < enough && !t.Failed(); {
		q := w.parents[rand.IntN(len(w.parents))].queues[rand.IntN(perParent)].Load()
		x := own[rand.IntN(len(own))]
		switch rand.IntN(10) {
		case 0, 1:
			b.book(t, q.Queue(x))
		case 2:
			b.book(t, q.Keyed(rand.IntN(3)).Queue(x))
		case 3:
			b.book(t, q.Keyed(rand.IntN(3)).Go(f))
		case 4:
			b.book(t, q.QueueAfter(time.Duration(rand.IntN(2000))*time.Microsecond, x))
		case 5:
			if x.Cancel() {
				b.cancelled.Add(1)
			}
		case 6:
			fut := cmwq.Submit(q, func(ctx *cmwq.Context) (int, error) { return 1, f(ctx) })
			waiting.Go(func() { b.wait(t, fut) })
		case 7:
			b.byMessage(t, w, q, f)
		case 8:
			flushed := make(chan error, 1)
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			waiting.Go(func() { flushed <- q.Flush(ctx) })
			waiting.Go(func() {
				defer cancel()
				if err := <-flushed; err != nil && !errors.Is(err, cmwq.ErrDestroyed) {
					t.Error(err)
				}
			})
		default: // a burst, of which something is left when the queue's time is over
			for range 20 {
				b.book(t, q.Go(slow))
			}
		}
	}
	waiting.Wait()
}

// wait waits for a future: it is told of what becomes of it, whatever that is.
func (b *books) wait(t *testing.T, fut *cmwq.Future[int]) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	n, err := fut.Wait(ctx)
	switch {
	case n == 1 || errors.Is(err, cmwq.ErrAbandoned):
		b.accepted.Add(1)
	case errors.Is(err, cmwq.ErrDestroyed):
		b.refused.Add(1)
	default:
		t.Error(err)
	}
}

// byMessage queues a function by message; a queue that has gone tells nobody.
func (b *books) byMessage(t *testing.T, w *world, q *cmwq.Queue, f messages.Func) {
	answer, err := w.as.Root.RequestFuture(q.PID(), &messages.Go{Func: f}, time.Minute).Result()
	if err != nil {
		b.refused.Add(1) // a dead letter
		return
	}
	b.book(t, answer.(*messages.Queued).Err)
}
