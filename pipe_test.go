package cmwq_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// inbox is an actor that passes on what it gets of a type.
func inbox[M any](t testing.TB, as *actor.ActorSystem, room int) (*actor.PID, chan M) {
	got := make(chan M, room)
	return spawn(t, as, func(c actor.Context) {
		if m, ok := c.Message().(M); ok {
			got <- m
		}
	}), got
}

var errNoLuck, errPanics = errors.New("no luck"), errors.New("panics")

func TestPipeToTellsEveryEnd(t *testing.T) {
	as, sys := startActors(t, silent())
	q := queue(t, sys, "q", cmwq.MaxActive(1))
	pid, got := inbox[*cmwq.Result[int]](t, as, 10)
	check := func(name string, fut *cmwq.Future[int], value int, want error) {
		t.Helper()
		id := fut.ID()
		require.NotEqual(t, uuid.Nil, id)
		for range 2 { // the second time it is resolved
			cmwq.PipeTo(as.Root, fut, pid)
			r := <-got
			require.Equal(t, id, r.ID, name)
			require.Equal(t, value, r.Value, name)
			require.ErrorIs(t, r.Err, want, name)
		}
		_, err := fut.Wait(bg)
		require.ErrorIs(t, err, want)
	}
	submit := func(f func() (int, error)) *cmwq.Future[int] {
		return cmwq.Submit(q, func(*cmwq.Context) (int, error) { return f() })
	}
	check("value", submit(func() (int, error) { return 7, nil }), 7, nil)
	check("error", submit(func() (int, error) { return 7, errNoLuck }), 7, errNoLuck)
	check("panic", submit(func() (int, error) { panic(errNoLuck) }), 0, errNoLuck)
	check("goexit", submit(func() (int, error) { runtime.Goexit(); return 7, nil }), 0, cmwq.ErrGoexit)
	check("no function", cmwq.Submit[int](q, nil), 0, cmwq.ErrNoFunc)

	g := newGate()
	require.NoError(t, q.Queue(g.Work))
	<-g.entered
	cancelled := submit(func() (int, error) { return 7, nil })
	require.True(t, cancelled.Cancel())
	check("cancelled", cancelled, 0, cmwq.ErrCancelled)
	waits := submit(func() (int, error) { return 7, nil })
	ctx, cancel := context.WithCancel(bg)
	cancel()
	var stop *cmwq.StopError
	require.ErrorAs(t, sys.Stop(ctx), &stop)
	g.open <- struct{}{}
	check("dropped", waits, 0, cmwq.ErrStopped)
	check("refused", submit(func() (int, error) { return 7, nil }), 0, cmwq.ErrStopped)
	require.PanicsWithValue(t, cmwq.ErrNoActor, func() { cmwq.PipeTo(as.Root, waits, nil) })
}

func TestPipedTellsEveryEnd(t *testing.T) {
	as, sys := startActors(t, silent())
	for name, kind := range withBH() {
		q := queue(t, sys, name, kind)
		pid, got := inbox[*cmwq.Done](t, as, 10)
		pipe := cmwq.Piped(q, pid)
		for want, f := range map[error]func(*cmwq.Context) error{
			nil:            func(*cmwq.Context) error { return nil },
			errNoLuck:      func(*cmwq.Context) error { return errNoLuck },
			cmwq.ErrGoexit: func(*cmwq.Context) error { runtime.Goexit(); return nil },
			errPanics:      func(*cmwq.Context) error { panic(errPanics) },
		} {
			w := cmwq.NewWork(f)
			id, err := pipe.QueueID(w)
			require.NoError(t, err)
			d := <-got
			require.Equal(t, id, d.ID)
			require.Same(t, w, d.Work)
			require.ErrorIs(t, d.Err, want)
			require.Equal(t, 1, d.Attempt)
			require.NoError(t, w.Flush(bg))
			require.NoError(t, pipe.Queue(w), "again")
			again := <-got
			require.NotEqual(t, id, again.ID)
			require.Equal(t, 1, again.Attempt)

			id, err = pipe.GoID(f)
			require.NoError(t, err)
			d = <-got
			require.Equal(t, id, d.ID)
			require.Nil(t, d.Work)
			require.ErrorIs(t, d.Err, want)
			require.NoError(t, pipe.Go(f))
			<-got
			require.NoError(t, pipe.GoContext(bg, f))
			<-got
			require.NoError(t, w.Flush(bg))
			require.NoError(t, pipe.QueueContext(bg, w))
			require.Same(t, w, (<-got).Work)
			require.NoError(t, w.Flush(bg))
			require.NoError(t, pipe.QueueAfter(time.Microsecond, w))
			require.Same(t, w, (<-got).Work)
		}
		_, err := cmwq.Submit(pipe, func(*cmwq.Context) (int, error) { return 7, nil }).Wait(bg)
		require.NoError(t, err)
		require.NoError(t, (<-got).Err)
		require.ErrorIs(t, pipe.Queue(new(cmwq.Work)), cmwq.ErrNoFunc)
		require.ErrorIs(t, pipe.Go(nil), cmwq.ErrNoFunc)
		require.ErrorIs(t, pipe.QueueAfter(0, new(cmwq.Work)), cmwq.ErrNoFunc)
		require.NoError(t, q.Flush(bg))
		require.Empty(t, got, "what is refused is not told")
	}
	require.PanicsWithValue(t, cmwq.ErrNoActor, func() { cmwq.Piped(sys.Default(), nil) })
}

// What ends before it begins is told, unless somebody has taken it back.
func TestPipedTellsOfWhatIsDropped(t *testing.T) {
	actorBubble(t, 1, func(t *testing.T, as *actor.ActorSystem, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(1))
		armed := queue(t, sys, "armed")
		got := make(chan *cmwq.Done, 10)
		pid := as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
			if d, ok := c.Message().(*cmwq.Done); ok {
				got <- d
			}
		}))
		pipe := cmwq.Piped(q, pid)
		nothing := func(*cmwq.Context) error { return nil }
		w := cmwq.NewWork(nothing)
		require.NoError(t, cmwq.Piped(armed, pid).QueueAfter(time.Hour, w))
		require.NoError(t, armed.Destroy(bg))
		d := <-got
		require.Same(t, w, d.Work)
		require.ErrorIs(t, d.Err, cmwq.ErrDestroyed)
		require.Zero(t, d.Attempt)

		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		require.NoError(t, pipe.Queue(w))
		require.True(t, w.Cancel())
		require.NoError(t, q.Queue(w), "not by the pipe")
		require.True(t, w.Cancel())
		require.NoError(t, pipe.Queue(w))
		require.NoError(t, pipe.Go(nothing))
		ctx, cancel := context.WithCancel(bg)
		cancel()
		var stop *cmwq.StopError
		require.ErrorAs(t, sys.Stop(ctx), &stop)
		require.Equal(t, 2, stop.Dropped)
		for range 2 {
			d := <-got
			require.ErrorIs(t, d.Err, cmwq.ErrStopped)
			require.Zero(t, d.Attempt)
		}
		g.open <- struct{}{}
		require.NoError(t, as.Root.PoisonFuture(pid).Wait())
		require.Empty(t, got)
	})
}

// Each future, and each accepted item, is told once, whatever else befalls it.
func TestPipeStress(t *testing.T) {
	const producers = 4
	each := short.Rounds(500)
	as, sys := startActors(t, silent())
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			q := queue(t, sys, name, kind)
			results, gotResults := inbox[*cmwq.Result[int]](t, as, 3*producers*each)
			dones, gotDones := inbox[*cmwq.Done](t, as, 3*producers*each)
			pipe := cmwq.Piped(q, dones)
			var mu sync.Mutex
			want := map[uuid.UUID]int{}
			all, armed := 0, 0
			expect := func(id uuid.UUID, n int) {
				mu.Lock()
				defer mu.Unlock()
				all += n
				if id == uuid.Nil {
					armed += n
				} else {
					want[id] += n
				}
			}
			var wg sync.WaitGroup
			for range producers {
				wg.Go(func() {
					for i := range each {
						fut := cmwq.Submit(q, func(*cmwq.Context) (int, error) { return i, nil })
						if i%3 == 0 {
							wg.Go(func() { fut.Cancel() })
						}
						cmwq.PipeTo(as.Root, fut, results)
						wg.Go(func() { cmwq.PipeTo(as.Root, fut, results) })
						expect(fut.ID(), 2)
						w := cmwq.NewWork(func(*cmwq.Context) error { return nil })
						id, err := pipe.QueueID(w)
						if err == nil {
							expect(id, 1)
						}
						if id, err = pipe.GoID(func(*cmwq.Context) error { return nil }); err == nil {
							expect(id, 1)
						}
						w = cmwq.NewWork(func(*cmwq.Context) error { return nil })
						if err = pipe.QueueAfter(time.Duration(rand.IntN(1000))*time.Microsecond, w); err == nil {
							expect(uuid.Nil, 1)
						}
						if i == each/2 {
							wg.Go(func() { _ = q.Destroy(bg) })
						}
					}
				})
			}
			wg.Wait()
			for range all {
				var id uuid.UUID
				select {
				case r := <-gotResults:
					id = r.ID
				case d := <-gotDones:
					id = d.ID
				}
				if n, ok := want[id]; ok {
					require.Positive(t, n, "told too often")
					want[id]--
				} else {
					armed--
				}
			}
			require.Zero(t, armed)
			for _, n := range want {
				require.Zero(t, n)
			}
			require.NoError(t, as.Root.PoisonFuture(results).Wait())
			require.NoError(t, as.Root.PoisonFuture(dones).Wait())
			require.Empty(t, gotResults)
			require.Empty(t, gotDones)
		})
	}
}
