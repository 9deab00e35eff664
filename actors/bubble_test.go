package actors

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/topology"
)

// blind is a source in virtual time: the process's gauges say nothing there.
type blind struct{ Source }

func (blind) Gauges() policy.Gauges { return policy.Gauges{} }

// bubble runs f in virtual time with a system of so many CPUs, which neither
// finds hogs nor sleepers by itself unless set changes that, and stops it.
func bubble(t *testing.T, cpus int, set func(*Options), f func(t *testing.T, sys *System)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		topo, err := topology.Uniform(1, 1, cpus, 1)
		require.NoError(t, err)
		quiet := slog.New(slog.DiscardHandler)
		o := Options{Topology: topo, Logger: quiet, Source: blind{PortableSource()}, HogThreshold: -1, IgnoreMemory: true}
		if set != nil {
			set(&o)
		}
		as := actor.NewActorSystem(
			actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return quiet }),
			actor.WithDeadLetterThrottleInterval(time.Millisecond))
		sys, err := Start(as, o)
		require.NoError(t, err)
		defer time.Sleep(time.Second) // a dead letter costs protoactor a goroutine for a millisecond
		defer as.Shutdown()
		defer func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			if err := sys.Stop(ctx); err != nil && !errors.Is(err, messages.ErrStopped) {
				t.Error(err)
			}
			// protoactor's throttle of dead letters keeps a goroutine for a millisecond.
			time.Sleep(2 * time.Millisecond)
		}()
		f(t, sys)
	})
}

func newTestQueue(t *testing.T, sys *System, name string, o QueueOptions) *Queue {
	t.Helper()
	q, err := sys.NewQueue(name, o)
	require.NoError(t, err)
	return q
}

// job is an item that remembers what became of it.
type job struct {
	it      messages.Item
	ext     messages.Ext
	f       func(*messages.Context) error
	ran     atomic.Int32
	dropped atomic.Int32
	why     atomic.Pointer[error]
	entered chan struct{} // it runs
}

func newJob(f func(*messages.Context) error) *job {
	j := &job{entered: make(chan struct{}, 10)}
	j.ext.Msg = j
	j.it.Extend(&j.ext)
	j.f = func(ctx *messages.Context) error {
		j.ran.Add(1)
		j.entered <- struct{}{}
		if f == nil {
			return nil
		}
		return f(ctx)
	}
	return j
}

// Dropped makes it a messages.Dropper.
func (j *job) Dropped(err error) { j.dropped.Add(1); j.why.Store(&err) }

func (j *job) on(t *testing.T, q *Queue) *job {
	t.Helper()
	require.NoError(t, q.Queue(&j.it, j.f, false))
	return j
}

// newHeld gives a job that blocks, declared, until it is let go.
func newHeld() (j *job, open chan struct{}) {
	open = make(chan struct{})
	return newJob(func(ctx *messages.Context) error { ctx.Block(func() { <-open }); return nil }), open
}

// leaseOfMany lets a worker take first and rest in one lease, and returns when it
// runs first.
func leaseOfMany(t *testing.T, q *Queue, first *job, rest ...*job) {
	t.Helper()
	for range 3 {
		newJob(nil).on(t, q) // from now on items are known to be short
	}
	require.NoError(t, q.Flush(t.Context()))
	gate, open := newHeld()
	gate.on(t, q)
	<-gate.entered
	first.on(t, q)
	for _, j := range rest {
		j.on(t, q)
	}
	close(open)
	<-first.entered
}

// raise makes a at least n.
func raise(a *atomic.Int32, n int32) {
	for old := a.Load(); old < n && !a.CompareAndSwap(old, n); old = a.Load() {
	}
}
