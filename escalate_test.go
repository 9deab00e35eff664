package cmwq_test

import (
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// decides is the supervisor strategy of the system: it notes what it was asked about.
func decides(directive actor.Directive, reasons *[]any) cmwq.Option {
	return cmwq.WithSupervision(actor.NewOneForOneStrategy(5, time.Hour, func(reason any) actor.Directive {
		*reasons = append(*reasons, reason)
		return directive
	}))
}

// Whatever waits goes on, and so does who waits for it: after Resume and after Restart.
// Only Restart forgets the failures that were counted.
func TestEscalate(t *testing.T) {
	for name, tt := range map[string]struct {
		directive actor.Directive
		want      int // of 6 failures: two that are counted are ignored
	}{
		"resume":  {actor.ResumeDirective, 4},
		"restart": {actor.RestartDirective, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var reasons []any
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.Ordered(), cmwq.MemReclaim(), cmwq.Supervise(forgetful{}))
				g := newGate()
				for i := range 6 {
					if i == 3 {
						require.NoError(t, q.Queue(g.Work))
						require.NoError(t, q.QueueAfter(time.Minute, cmwq.NewWork(func(*cmwq.Context) error { return nil })))
					}
					require.NoError(t, q.Go(func(*cmwq.Context) error { return errBroke }))
					if i < 3 {
						synctest.Wait()
					}
				}
				flushed := make(chan error, 1)
				go func() { flushed <- q.Flush(bg) }()
				<-g.entered
				g.open <- struct{}{}
				require.NoError(t, <-flushed)
				synctest.Wait()
				require.Len(t, reasons, tt.want)
				var e *cmwq.EscalatedError
				require.ErrorAs(t, reasons[0].(error), &e)
				require.ErrorIs(t, e, errBroke)
				require.Equal(t, "q", e.Queue)
				time.Sleep(time.Hour)
				st := stats(t, q)
				require.EqualValues(t, 8, st.Total)
				require.EqualValues(t, 6, st.Failed)
				require.NoError(t, q.Destroy(bg))
			}, decides(tt.directive, &reasons), told(new([]error)))
		})
	}
}

// forgetful escalates the third failure that it remembers, and each after that.
type forgetful struct{}

func (f forgetful) Decide(_ supervisor.Failure, _ time.Duration, m *supervisor.Memory) supervisor.Action {
	n := m.Of(f, func() any { return new(int) }).(*int)
	if *n++; *n < 3 {
		return supervisor.Action{Do: supervisor.DoIgnore}
	}
	return supervisor.Action{Do: supervisor.DoEscalate}
}

// With protoactor's default a queue may escalate 10 times in 10 s; then it ends.
func TestEscalateTooOften(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Supervise(supervisor.Escalate()))
		for range 10 {
			require.NoError(t, q.Go(func(*cmwq.Context) error { return errBroke }))
			synctest.Wait()
		}
		require.NoError(t, q.Go(func(*cmwq.Context) error { return nil }))
		require.NoError(t, q.Flush(bg))
		require.NoError(t, q.Go(func(*cmwq.Context) error { return errBroke }))
		synctest.Wait()
		require.Nil(t, sys.Queue("q"))
		require.ErrorIs(t, q.Go(func(*cmwq.Context) error { return nil }), cmwq.ErrDestroyed)
		require.ErrorIs(t, q.Flush(bg), cmwq.ErrDestroyed)
		_, err := sys.NewQueue("q")
		require.NoError(t, err, "the name is free")
	})
}

// A parent that stops the queue, or would ask its own, who is not there.
func TestEscalateStops(t *testing.T) {
	for name, directive := range map[string]actor.Directive{"stop": actor.StopDirective, "escalate": actor.EscalateDirective} {
		t.Run(name, func(t *testing.T) {
			var reasons []any
			var failures []error
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				at := since()
				s := supervisor.When(supervisor.Is(errBroke), supervisor.Escalate()).Else(supervisor.Retry(9, supervisor.Constant(time.Hour)))
				q := queue(t, sys, "q", cmwq.Ordered(), cmwq.MemReclaim(), cmwq.Supervise(s))
				retry := cmwq.Submit(q, func(*cmwq.Context) (int, error) { return 0, errForAnHour })
				synctest.Wait()
				require.NoError(t, q.Go(func(ctx *cmwq.Context) error { _ = ctx.Sleep(time.Second); return errBroke }))
				wait := cmwq.Submit(q, func(ctx *cmwq.Context) (int, error) { return 1, ctx.Sleep(time.Hour) })
				last := cmwq.Submit(q, func(ctx *cmwq.Context) (int, error) { return 1, nil })
				_, err := retry.Wait(bg)
				require.ErrorIs(t, err, cmwq.ErrDestroyed)
				require.ErrorIs(t, err, errForAnHour, "and what it failed with")
				_, err = wait.Wait(bg)
				require.ErrorIs(t, err, cmwq.ErrAbandoned, "it was told to end")
				_, err = last.Wait(bg)
				require.ErrorIs(t, err, cmwq.ErrAbandoned, "it was dropped")
				require.Equal(t, 6000, at(), "a second of the first, and what a queue has to shut down")
				synctest.Wait()
				require.Len(t, reasons, 1)
				require.Nil(t, sys.Queue("q"))
				require.ErrorIs(t, q.Go(func(*cmwq.Context) error { return nil }), cmwq.ErrDestroyed)
			}, decides(directive, &reasons), told(&failures))
		})
	}
}

var errForAnHour = errors.New("for an hour")

// household is an actor with a queue for a child, and the supervisor of it.
type household struct {
	sys     *cmwq.System
	asked   chan any
	spawned chan *cmwq.Queue
	gone    chan *actor.PID
}

func (f *household) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		q, err := f.sys.SpawnQueue(ctx, "q", cmwq.Supervise(supervisor.Escalate()))
		if err != nil {
			panic(err)
		}
		f.spawned <- q
	case *actor.Terminated:
		f.gone <- m.Who
	}
}

// The parent of a child queue decides, whoever it is.
func TestEscalateToAParent(t *testing.T) {
	for name, directive := range map[string]actor.Directive{
		"resume": actor.ResumeDirective, "restart": actor.RestartDirective, "stop": actor.StopDirective,
	} {
		t.Run(name, func(t *testing.T) {
			as := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }))
			sys, err := cmwq.Start(as, silent())
			require.NoError(t, err)
			f := &household{sys: sys, asked: make(chan any, 9), spawned: make(chan *cmwq.Queue, 9), gone: make(chan *actor.PID, 9)}
			strategy := actor.NewOneForOneStrategy(5, time.Hour, func(reason any) actor.Directive { f.asked <- reason; return directive })
			pid := as.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return f }, actor.WithSupervisor(strategy)))
			q := <-f.spawned
			g := newGate()
			require.NoError(t, q.Queue(g.Work))
			<-g.entered
			require.NoError(t, q.Go(func(*cmwq.Context) error { return errBroke }))
			require.ErrorIs(t, (<-f.asked).(error), errBroke)
			g.open <- struct{}{}
			if directive == actor.StopDirective {
				require.Equal(t, q.PID().Id, (<-f.gone).Id)
				require.ErrorIs(t, q.Go(func(*cmwq.Context) error { return nil }), cmwq.ErrDestroyed)
			} else {
				fut := cmwq.Submit(q, func(*cmwq.Context) (int, error) { return 1, nil })
				v, err := fut.Wait(bg)
				require.NoError(t, err)
				require.Equal(t, 1, v)
				require.Empty(t, f.gone)
			}
			require.NoError(t, as.Root.StopFuture(pid).Wait())
			require.NoError(t, sys.Stop(bg))
			as.Shutdown()
		})
	}
}
