package cmwq_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// processes is how many processes an actor system has registered.
func processes(as *actor.ActorSystem) (n int) {
	for _, m := range as.ProcessRegistry.LocalPIDs.LocalPIDs {
		n += m.Count()
	}
	return n
}

// Each answer is for the request that it answers, whoever is cancelled, stopped or
// dead meanwhile; and nothing stays registered.
func TestRequestStress(t *testing.T) {
	as := quietActors()
	defer as.Shutdown()
	before := processes(as)
	sys, err := cmwq.Start(as, silent())
	require.NoError(t, err)
	var pids [8]atomic.Pointer[actor.PID]
	var gone sync.Map // actors that were told to stop
	spawnAt := func(i int) {
		old := pids[i].Swap(as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
			n, ok := c.Message().(int)
			switch {
			case !ok:
			case n%7 == 0: // forgets to answer
			case n%5 == 0:
				c.Send(c.Sender(), n)
				c.Send(c.Sender(), -n)
			default:
				c.Respond(n)
			}
		})))
		if old != nil {
			gone.Store(as.Root.StopFuture(old), nil)
		}
	}
	for i := range pids {
		spawnAt(i)
	}
	var seq, good, bad atomic.Int64
	item := func(ctx *cmwq.Context) error {
		for range 3 {
			n := int(seq.Add(1))
			var rctx context.Context = ctx
			if n%3 == 0 {
				tctx, cancel := context.WithTimeout(ctx, time.Duration(rand.IntN(300))*time.Microsecond)
				defer cancel()
				rctx = tctx
			} else if n%7 == 0 {
				continue
			}
			got, err := cmwq.Request[int](rctx, pids[n%len(pids)].Load(), n)
			switch {
			case err == nil && got == n:
				good.Add(1)
			case errors.Is(err, cmwq.ErrNoActor), errors.Is(err, context.DeadlineExceeded), errors.Is(err, cmwq.ErrCancelled):
				bad.Add(1)
			default:
				t.Errorf("asked %d: %d, %v", n, got, err)
			}
		}
		return nil
	}
	var wg sync.WaitGroup
	for name, opts := range map[string][]cmwq.QueueOption{"managed": nil, "percpu": {cmwq.PerCPU()}, "unbound": {cmwq.Unbound()}} {
		q := queue(t, sys, name, opts...)
		wg.Go(func() {
			works := make([]*cmwq.Work, 32)
			for i := range works {
				works[i] = cmwq.NewWork(item)
			}
			for i := range short.Rounds(1500) {
				w := works[rand.IntN(len(works))]
				switch {
				case i%10 == 3:
					_, _ = w.CancelWait(bg)
				case i%50 == 7:
					spawnAt(rand.IntN(len(pids)))
				default:
					_ = q.Queue(w)
				}
			}
			if err := q.Flush(bg); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	require.Positive(t, good.Load())
	require.Positive(t, bad.Load())
	require.NoError(t, sys.Stop(bg))
	for i := range pids {
		gone.Store(as.Root.StopFuture(pids[i].Load()), nil)
	}
	gone.Range(func(f, _ any) bool { return assert.NoError(t, f.(*actor.Future).Wait()) })
	require.Equal(t, before, processes(as), "nothing stays registered")
}
