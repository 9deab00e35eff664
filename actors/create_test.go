package actors

import (
	"bytes"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// Conformance 51, R22: a creation that fails is tried again after a second, for as
// long as a worker is wanted, and no longer: the pool looks anew each time.
func TestCreationIsTriedAgain(t *testing.T) {
	f := &famine{}
	bubble(t, 1, f.set, func(t *testing.T, sys *System) {
		wake := starve(t, sys, f)
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU})
		began := time.Now()
		var at time.Duration
		j := newJob(func(*messages.Context) error { at = time.Since(began); return nil }).on(t, q)
		for n := range 5 {
			require.EqualValues(t, n+1, f.refused.Load())
			time.Sleep(time.Second)
			synctest.Wait()
		}
		f.on.Store(false)
		require.NoError(t, q.Flush(t.Context()))
		require.EqualValues(t, 1, j.ran.Load())
		require.Equal(t, 6*time.Second, at)

		// The next famine ends because the sleeper does: nobody is wanted any more.
		f.on.Store(true)
		second, open := newHeld()
		second.on(t, q)
		<-second.entered
		synctest.Wait()
		refused := f.refused.Load()
		close(open)
		close(wake)
		time.Sleep(5 * time.Second)
		require.Equal(t, refused, f.refused.Load())
		p := q.table.Load().shares[0].pool
		synctest.Wait()
		require.Zero(t, p.pol.Creating(), "a pool with an idle worker asks for none")
	})
}

// A reason to try again is taken up at once: the wait is not slept out on
// conditions that have changed. A late end of the wait then does nothing.
func TestCreationIsTriedAtOnceWithAReason(t *testing.T) {
	f := &famine{}
	bubble(t, 1, f.set, func(t *testing.T, sys *System) {
		wake := starve(t, sys, f)
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU})
		p := q.table.Load().shares[0].pool
		began := time.Now()
		var at time.Duration
		newJob(func(*messages.Context) error { at = time.Since(began); return nil }).on(t, q)
		time.Sleep(300 * time.Millisecond)
		f.on.Store(false)
		p.mb.post(&messages.NewControl(retryCreate{}).Item) // as the manager does when a worker has ended
		require.NoError(t, q.Flush(t.Context()))
		require.Equal(t, 300*time.Millisecond, at)
		p.mb.post(&messages.NewControl(retryCreate{}).Item)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		require.Equal(t, 3, p.pol.Workers(), "the sleeper, the one that ran, one idle")
		close(wake)
	})
}

// Conformance 45, 46: the worker that leaves a pool without an idle one asks for
// another before it works, and while that is being made there is no second
// request.
func TestOneRequestAtATime(t *testing.T) {
	for _, kind := range []Kind{Managed, PerCPU, Unbound, Ordered} {
		var mu sync.Mutex
		making := map[string]int{}
		overlap := false
		bubble(t, 2, func(o *Options) {
			o.CreateFault = func(what, name string) error {
				if what != "worker" {
					return nil
				}
				pool, _, _ := strings.Cut(name, ":")
				mu.Lock()
				making[pool]++
				overlap = overlap || making[pool] > 1
				mu.Unlock()
				time.Sleep(time.Millisecond) // it takes its time
				mu.Lock()
				making[pool]--
				mu.Unlock()
				return nil
			}
		}, func(t *testing.T, sys *System) {
			q := newTestQueue(t, sys, "q", QueueOptions{Kind: kind})
			for range 200 {
				require.NoError(t, q.Go(func(ctx *messages.Context) error { return ctx.Sleep(3 * time.Millisecond) }, false))
			}
			require.NoError(t, q.Flush(t.Context()))
			synctest.Wait()
			require.False(t, overlap)
			for _, s := range q.table.Load().shares {
				require.GreaterOrEqual(t, s.pool.pol.Idle(), 1, "at rest one worker is idle")
			}
		})
	}
	f := &famine{}
	bubble(t, 1, f.set, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU})
		synctest.Wait()
		f.on.Store(true)
		j, open := newHeld()
		j.on(t, q)
		<-j.entered
		synctest.Wait()
		p := q.table.Load().shares[0].pool
		require.Zero(t, p.pol.Idle())
		require.Equal(t, 1, p.pol.Creating(), "the last idle worker has asked for the next")
		require.EqualValues(t, 1, f.refused.Load())
		close(open)
		require.NoError(t, q.Flush(t.Context()))
		f.on.Store(false)
	})
}

// Conformance 47: a worker that is woken for nothing, or speaks when it has
// nothing to say, is idle again, and every count is as it was.
func TestWokenForNothing(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU})
		newJob(nil).on(t, q)
		require.NoError(t, q.Flush(t.Context()))
		synctest.Wait()
		p := q.table.Load().shares[0].pool
		counts := func() []int { return []int{p.pol.Idle(), p.pol.Workers(), p.pol.Running(), p.pol.Waiting()} }
		before := counts()
		for _, w := range p.workers {
			for _, phase := range []uint32{phaseRunning, phaseSleeping, phaseDone} {
				w.phase.Store(phase)
				p.mb.postOnce(&w.noted)
				w.box.schedule()
			}
		}
		synctest.Wait()
		require.Equal(t, before, counts())
		for range 1000 { // taken back before the worker has come to take them
			j := newJob(nil).on(t, q)
			Cancel(&j.it)
		}
		require.NoError(t, q.Flush(t.Context()))
		synctest.Wait()
		require.Equal(t, before, counts())
	})
}

// Memory is looked at when a worker is wanted, not more than every 100 ms by all
// pools together; a pool's first worker is always made.
func TestMemoryPressure(t *testing.T) {
	var short atomic.Bool
	var looks atomic.Int32
	short.Store(true)
	bubble(t, 2, func(o *Options) {
		o.Memory = func() policy.Memory {
			looks.Add(1)
			if short.Load() {
				return policy.Memory{Limit: 100, Live: 99}
			}
			return policy.Memory{}
		}
	}, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{Kind: PerCPU})
		var held [2]chan struct{}
		for cpu := range 2 {
			j, open := newHeld()
			require.NoError(t, q.QueueOn(cpu, &j.it, j.f, false))
			<-j.entered
			held[cpu] = open
		}
		synctest.Wait()
		require.EqualValues(t, 1, looks.Load(), "both pools were refused by one look")
		began := time.Now()
		var at [2]time.Duration
		for cpu := range 2 {
			j := newJob(func(*messages.Context) error { at[cpu] = time.Since(began); return nil })
			require.NoError(t, q.QueueOn(cpu, &j.it, j.f, false))
		}
		time.Sleep(2500 * time.Millisecond)
		require.EqualValues(t, 3, looks.Load())
		short.Store(false)
		time.Sleep(time.Second)
		close(held[0])
		close(held[1])
		require.NoError(t, q.Flush(t.Context()))
		require.Equal(t, [2]time.Duration{3 * time.Second, 3 * time.Second}, at)
	})
}

// What the runtime says makes sense: without a limit nothing is short, and of a
// limit far below what is in use everything is live.
func TestReadMemory(t *testing.T) {
	require.Zero(t, processMemory())
	old := debug.SetMemoryLimit(1 << 20)
	limited := processMemory()
	debug.SetMemoryLimit(old)
	require.EqualValues(t, 1<<20, limited.Limit)
	require.NotEmpty(t, policy.MemoryShort(limited), "%+v", limited)
	m := readMemory()
	require.GreaterOrEqual(t, m.Stalled, 0.0)
	p := pressure{}
	require.NoError(t, p.short(0), "nobody looks")
	var reads int
	p.read = func() policy.Memory { reads++; return policy.Memory{Stalled: 50} }
	for now := time.Second; now < 2*time.Second; now += 10 * time.Millisecond {
		require.Error(t, p.short(now))
	}
	require.Equal(t, 10, reads)
	require.Contains(t, fmt.Sprint(p.short(2*time.Second)), "memory")
}

// A shortage is logged when it begins, once; a limit that the user set is none.
func TestShortageIsLoggedOnce(t *testing.T) {
	for _, limit := range []int{0, 1} {
		var b bytes.Buffer
		f := &famine{}
		bubble(t, 1, func(o *Options) {
			f.set(o)
			o.MaxWorkers = limit
			o.Logger = slog.New(slog.NewTextHandler(&b, nil))
		}, func(t *testing.T, sys *System) {
			wake := starve(t, sys, f)
			time.Sleep(10 * time.Second)
			synctest.Wait()
			logged := strings.Count(b.String(), "a worker could not be made")
			if limit == 0 {
				require.Equal(t, 1, logged, b.String())
				require.Contains(t, b.String(), "injected")
			} else {
				require.Zero(t, logged, b.String())
			}
			f.on.Store(false)
			close(wake)
		})
	}
}
