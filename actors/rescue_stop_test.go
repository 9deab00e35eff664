package actors

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// Conformance 63, R9, R14: a queue may be destroyed while its pools call for help
// and while its rescuer is in one of them. It is drained by the rescuer, which is
// gone with it; what the pools still send finds nobody.
func TestDestroyWithMaydaysOut(t *testing.T) {
	for _, after := range []time.Duration{0, 5 * time.Millisecond, 10 * time.Millisecond, 60 * time.Millisecond} {
		f := &famine{}
		bubble(t, 4, f.set, func(t *testing.T, sys *System) {
			sleepers := newTestQueue(t, sys, "sleepers", QueueOptions{Kind: PerCPU})
			synctest.Wait()
			before := count(sys)
			q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU, MemReclaim: true})
			synctest.Wait()
			f.on.Store(true)
			var open [4]chan struct{}
			var ran atomic.Int32
			for cpu := range 4 {
				j, o := newHeld()
				require.NoError(t, sleepers.QueueOn(cpu, &j.it, j.f, false))
				<-j.entered
				open[cpu] = o
				for range 30 {
					w := newJob(func(ctx *messages.Context) error { ran.Add(1); return ctx.Sleep(time.Millisecond) })
					require.NoError(t, q.QueueOn(cpu, &w.it, w.f, false))
				}
			}
			pid := q.rescuer
			time.Sleep(after)
			require.NoError(t, q.Destroy(t.Context()))
			<-q.gone.done()
			require.EqualValues(t, 120, ran.Load())
			synctest.Wait()
			_, alive := sys.as.ProcessRegistry.GetLocal(pid.pid.Load().Id)
			require.False(t, alive, "the rescuer went with its queue")
			for _, s := range q.table.Load().shares {
				for _, w := range s.pool.rescue.workers {
					require.Nil(t, w, "no pool has a rescuer")
				}
				require.Zero(t, s.pool.pol.Rescuers())
				require.Zero(t, s.pool.rescue.reclaim)
			}
			time.Sleep(time.Second) // a pool that still called would find nobody
			f.on.Store(false)
			for _, o := range open {
				close(o)
			}
			time.Sleep(time.Second)
			synctest.Wait()
			after := count(sys)
			require.Equal(t, before.queues, after.queues)
			require.Equal(t, before.places, after.places)
		})
	}
}

// A forced stop while rescuers are in items that do not end, with maydays out:
// what has not started is dropped and reported, and everything ends when they do.
func TestForcedStopWithARescuerOut(t *testing.T) {
	f := &famine{}
	var left, ran atomic.Int32
	var dropped []*job
	bubble(t, 2, f.set, func(t *testing.T, sys *System) {
		open := make(chan struct{})
		sleepers := newTestQueue(t, sys, "sleepers", QueueOptions{Kind: PerCPU})
		synctest.Wait()
		f.on.Store(true)
		var q [2]*Queue
		for i := range q {
			q[i] = newTestQueue(t, sys, string(rune('a'+i)), QueueOptions{Kind: PerCPU, MemReclaim: true})
		}
		for cpu := range 2 {
			j := newJob(func(ctx *messages.Context) error { ctx.Block(func() { <-ctx.Done() }); return nil })
			require.NoError(t, sleepers.QueueOn(cpu, &j.it, j.f, false))
			<-j.entered
		}
		for i := range q {
			for n := range 40 {
				j := newJob(func(ctx *messages.Context) error {
					if n == 0 {
						<-open // it does not listen
					}
					ran.Add(1)
					return nil
				})
				require.NoError(t, q[i].QueueOn(n%2, &j.it, j.f, false))
				dropped = append(dropped, j)
			}
		}
		time.Sleep(50 * time.Millisecond)
		ctx, cancel := context.WithTimeout(context.Background(), 150*time.Millisecond)
		defer cancel()
		var stop *messages.StopError
		require.ErrorAs(t, sys.Stop(ctx), &stop)
		require.Equal(t, 2, stop.Running, "the sleepers listened, the rescued items did not")
		require.Equal(t, 80-2-int(ran.Load()), stop.Dropped)
		close(open)
		synctest.Wait()
		for _, j := range dropped {
			left.Add(j.dropped.Load())
			require.Equal(t, messages.State(0), j.it.State()&(messages.Pending|messages.Running))
		}
		require.EqualValues(t, 80, left.Load()+ran.Load(), "every item has run or was reported")
		require.Zero(t, sys.left.Load())
	})
}

// Everything at once: pools that mostly cannot make workers, items of several
// queues that sleep, fail, are cancelled and flushed, and queues that come and go.
// Every accepted item is accounted for.
func TestRescueStress(t *testing.T) {
	var rescued atomic.Int64
	for _, often := range []int64{1, 3, 12} {
		var n atomic.Int64
		bubble(t, 2, func(o *Options) {
			o.CreateFault = func(what, _ string) error {
				if what == "worker" && n.Add(1)%often != 0 {
					return errFault
				}
				return nil
			}
			o.OnFailure = func(_ *Queue, m *messages.Failed) {
				var broken *messages.PanicError
				if errors.As(m.Err, &broken) && broken.Value != "on purpose" {
					t.Errorf("%v\n%s", m.Err, broken.Stack)
				}
			}
		}, func(t *testing.T, sys *System) {
			var wg sync.WaitGroup
			for i := range 5 {
				wg.Go(func() { torture(t, sys, i, &rescued) })
			}
			wg.Wait()
		})
		if often == 1 {
			require.Zero(t, rescued.Load(), "every worker that was wanted was made")
		}
	}
	require.Positive(t, rescued.Load())
}

// torture works a queue of its own, with a rescuer or without.
func torture(t *testing.T, sys *System, i int, rescued *atomic.Int64) {
	kinds := []Kind{Managed, PerCPU, Unbound, Ordered}
	for round := range 4 {
		name := string(rune('a' + i))
		q, err := sys.NewQueue(name, QueueOptions{Kind: kinds[(i+round)%4], MemReclaim: i != 3, MaxActive: []int{0, 1, 3}[round%3]})
		if err != nil {
			t.Errorf("%v", err)
			return
		}
		var accepted, ran, cancelled atomic.Int64
		var jobs [20]messages.Item
		f := func(ctx *messages.Context) error {
			if ctx.IsRescuer() {
				rescued.Add(1)
			}
			switch ran.Add(1) % 8 {
			case 0:
				return ctx.Sleep(50 * time.Microsecond)
			case 1:
				panic("on purpose")
			case 2:
				runtime.Goexit()
			case 3:
				ctx.Block(runtime.Gosched)
			}
			return nil
		}
		for k := range 600 {
			it := &jobs[k%len(jobs)]
			if q.Queue(it, f, false) == nil {
				accepted.Add(1)
			}
			if k%7 == 0 && Cancel(&jobs[(k/7)%len(jobs)]) {
				cancelled.Add(1)
			}
			if k%97 == 0 {
				_ = Flush(context.Background(), it)
			}
			if k%151 == 0 {
				if was, _ := CancelWait(context.Background(), it); was {
					cancelled.Add(1)
				}
			}
		}
		if err := q.Destroy(context.Background()); err != nil {
			t.Errorf("%v", err)
		}
		<-q.gone.done()
		if got := ran.Load() + cancelled.Load(); got != accepted.Load() {
			t.Errorf("queue %s: %d accepted, %d ran, %d cancelled", name, accepted.Load(), ran.Load(), cancelled.Load())
		}
	}
}
