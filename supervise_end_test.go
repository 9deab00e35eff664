package cmwq_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/supervisor"
)

// A strategy's ways for an item to end, and what is told of it.
func TestLastFailure(t *testing.T) {
	once := func(s supervisor.Strategy) supervisor.Strategy {
		return supervisor.Retry(1, supervisor.Backoff{}).Then(s)
	}
	for name, tt := range map[string]struct {
		s        supervisor.Strategy
		told     int
		dead     int64
		givenUp  bool
		attempts int64
	}{
		"report":             {s: supervisor.Report(), told: 1, attempts: 1},
		"ignore":             {s: supervisor.Ignore(), attempts: 1},
		"drop":               {s: supervisor.Drop(), told: 1, givenUp: true, attempts: 1},
		"dead letter":        {s: supervisor.DeadLetter(5), dead: 1, attempts: 1},
		"retry, report":      {s: once(supervisor.Report()), told: 1, attempts: 2},
		"retry, drop":        {s: once(supervisor.Drop()), told: 1, givenUp: true, attempts: 2},
		"retry, dead letter": {s: once(supervisor.DeadLetter(5)), dead: 1, attempts: 2},
		"by error":           {s: supervisor.When(supervisor.Is(errBroke), supervisor.Ignore()).Else(supervisor.Drop()), attempts: 1},
		"panics":             {s: panicky{}, told: 1, attempts: 1},
	} {
		t.Run(name, func(t *testing.T) {
			var failures []error
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.Supervise(tt.s))
				fut := cmwq.Submit(q, func(*cmwq.Context) (int, error) { return 0, errBroke })
				_, err := fut.Wait(bg)
				require.ErrorIs(t, err, errBroke)
				require.Equal(t, tt.givenUp, errors.Is(err, cmwq.ErrGivenUp))
				synctest.Wait()
				require.Len(t, failures, tt.told)
				if tt.told > 0 {
					require.Equal(t, tt.givenUp, errors.Is(failures[0], cmwq.ErrGivenUp))
				}
				require.Equal(t, [5]int64{tt.attempts, 1, tt.attempts - 1, tt.dead, 0}, counts(t, q))
				require.NoError(t, q.Destroy(bg))
			}, told(&failures))
		})
	}
}

type panicky struct{}

func (panicky) Decide(supervisor.Failure, time.Duration, *supervisor.Memory) supervisor.Action {
	panic("a strategy of a user's")
}

func (panicky) Err() error { return nil }

func TestDeadLetters(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		s := supervisor.Retry(2, supervisor.Backoff{}).Then(supervisor.DeadLetter(3))
		q := queue(t, sys, "q", cmwq.Supervise(s))
		var ran []int
		fail := true
		items := make([]*cmwq.Work, 5)
		for i := range items {
			items[i] = cmwq.NewWork(func(ctx *cmwq.Context) error {
				if ran = append(ran, i*10+ctx.Attempt()); fail {
					return errBroke
				}
				return nil
			})
			require.NoError(t, q.Keyed("k").Queue(items[i]))
			synctest.Wait()
			time.Sleep(time.Second)
		}
		require.Len(t, ran, 15)
		letters, err := q.DeadLetters(bg)
		require.NoError(t, err)
		require.Len(t, letters, 3)
		for i, l := range letters {
			assert.EqualValues(t, i+3, l.ID, "the oldest made room")
			assert.Equal(t, "q", l.Queue)
			assert.Equal(t, "k", l.Key)
			assert.Equal(t, 3, l.Attempts)
			assert.Equal(t, errBroke, l.Err)
			assert.Contains(t, l.Func, "TestDeadLetters")
			assert.NotZero(t, l.At)
		}
		st := stats(t, q)
		require.EqualValues(t, 5, st.DeadLettered)
		require.EqualValues(t, 2, st.DeadLost)
		for _, w := range items {
			require.Equal(t, cmwq.Busy{}, w.Busy())
		}

		fail, ran = false, nil
		g := newGate()
		require.NoError(t, q.Keyed("k").Queue(g.Work))
		require.NoError(t, q.Queue(items[3]))
		synctest.Wait()
		require.Equal(t, []int{31}, ran)
		require.NoError(t, q.QueueAfter(time.Hour, items[4]))
		n, err := q.Requeue(3, 5, 1)
		require.Equal(t, 1, n, "one went, one is pending, one had made room")
		require.ErrorIs(t, err, cmwq.ErrPending)
		synctest.Wait()
		require.Len(t, ran, 1, "it waits for its key")
		g.open <- struct{}{}
		synctest.Wait()
		require.Equal(t, []int{31, 21}, ran)

		n, err = q.Discard(4)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		letters, err = q.DeadLetters(bg)
		require.NoError(t, err)
		require.Len(t, letters, 1)
		require.EqualValues(t, 5, letters[0].ID)
		items[4].Cancel()
		n, err = q.Requeue()
		require.NoError(t, err)
		require.Equal(t, 1, n)
		synctest.Wait()
		require.Equal(t, []int{31, 21, 41}, ran)
		require.NoError(t, q.Destroy(bg))
		synctest.Wait()
		_, err = q.DeadLetters(bg)
		require.ErrorIs(t, err, cmwq.ErrDestroyed)
	})
}

func TestDeadLettersArePublished(t *testing.T) {
	as := actor.NewActorSystem()
	sys, err := cmwq.Start(as)
	require.NoError(t, err)
	typed := make(chan *messages.DeadLettered, 1)
	event := make(chan *actor.DeadLetterEvent, 1)
	sub := as.EventStream.Subscribe(func(e any) {
		switch e := e.(type) {
		case *messages.DeadLettered:
			typed <- e
		case *actor.DeadLetterEvent:
			if _, ok := e.Message.(*messages.DeadLettered); ok {
				event <- e
			}
		}
	})
	defer as.EventStream.Unsubscribe(sub)
	q := queue(t, sys, "q", cmwq.Supervise(supervisor.DeadLetter(1)))
	require.NoError(t, q.Go(func(*cmwq.Context) error { return errBroke }))
	require.Equal(t, errBroke, (<-typed).Err)
	e := <-event
	require.Contains(t, e.PID.Id, "queue/q")
	require.NoError(t, sys.Stop(bg))
	as.Shutdown()
}

func TestStopQueue(t *testing.T) {
	var failures []error
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Ordered(), cmwq.Supervise(supervisor.StopQueue()))
		var ran bool
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error { _ = ctx.Sleep(time.Second); return errBroke }))
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error { ran = true; return ctx.Sleep(time.Second) }))
		later := cmwq.NewWork(func(*cmwq.Context) error { return nil })
		require.NoError(t, q.QueueAfter(time.Hour, later))
		time.Sleep(1500 * time.Millisecond)
		require.ErrorIs(t, q.Queue(later), cmwq.ErrDestroyed)
		require.Equal(t, cmwq.Busy{}, later.Busy())
		time.Sleep(time.Second)
		synctest.Wait()
		require.True(t, ran)
		require.Nil(t, sys.Queue("q"))
		_, err := sys.NewQueue("q")
		require.NoError(t, err)
	}, told(&failures))
	require.Len(t, failures, 1)
}

// A retry goes behind what its key has by then, and holds its key up for nobody.
func TestRetryOfAKeyedItem(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Supervise(supervisor.Retry(3, supervisor.Constant(time.Second))))
		k := q.Keyed("k")
		var got []string
		in := 0
		do := func(name string, fails int, d time.Duration) func(*cmwq.Context) error {
			return func(ctx *cmwq.Context) error {
				in++
				require.Equal(t, 1, in, "one at a time")
				defer func() { in-- }()
				_ = ctx.Sleep(d)
				if got = append(got, name); ctx.Attempt() <= fails {
					return errBroke
				}
				return nil
			}
		}
		require.NoError(t, k.Go(do("a", 1, 100*time.Millisecond)))
		require.NoError(t, k.Go(do("b", 0, 1500*time.Millisecond)))
		require.NoError(t, k.Go(do("c", 0, 0)))
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, []string{"a", "b", "c", "a"}, got)
	})
}

func TestRetryGoesToItsCPU(t *testing.T) {
	bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.PerCPU(), cmwq.Supervise(supervisor.Retry(3, supervisor.Constant(time.Second))))
		var cpus []int
		w := cmwq.NewWork(func(ctx *cmwq.Context) error { cpus = append(cpus, ctx.CPU()); return errBroke })
		require.NoError(t, q.QueueOn(2, w))
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, []int{2, 2, 2, 2}, cpus)
	}, told(new([]error)))
}

func TestStrategiesThatMakeNoSense(t *testing.T) {
	sys := start(t)
	for name, s := range map[string]supervisor.Strategy{
		"none":          nil,
		"limit":         supervisor.DeadLetter(0),
		"limit, deep":   supervisor.Retry(1, supervisor.Backoff{}).Then(supervisor.When(supervisor.Is(nil), supervisor.DeadLetter(-1))),
		"back-off":      supervisor.Retry(1, supervisor.Exponential(time.Second, time.Millisecond)),
		"then":          supervisor.Retry(1, supervisor.Backoff{}).Then(nil),
		"else":          supervisor.When(supervisor.Is(errBroke), supervisor.Drop()).Else(nil),
		"match":         supervisor.When(nil, supervisor.Drop()),
		"period":        supervisor.AtMost(1, 0, supervisor.Drop()),
		"intensity":     supervisor.AtMost(-1, time.Second, supervisor.Drop()),
		"intensity, of": supervisor.AtMost(1, time.Second, nil),
	} {
		_, err := sys.NewQueue("q", cmwq.Supervise(s))
		assert.ErrorIs(t, err, cmwq.ErrOption, name)
	}
}
