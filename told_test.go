package cmwq_test

import (
	"bytes"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/messages"
)

// asks sends messages in the actor's turn, and gives the answers that are there once
// all has come to rest. Terminated, which overtakes them, is the last.
func (p *elder) asks(to *actor.PID, msgs ...any) (answers []any) {
	var ends []any
	p.do(func(ctx actor.Context) {
		for _, m := range msgs {
			ctx.Request(to, m)
		}
	})
	synctest.Wait()
	for {
		select {
		case m := <-p.told:
			if _, ok := m.(*actor.Terminated); ok {
				ends = append(ends, m)
			} else {
				answers = append(answers, m)
			}
		default:
			return append(answers, ends...)
		}
	}
}

// asker is a parent that keeps answers, too.
func (f *family) asker(t *testing.T) *elder {
	t.Helper()
	p := f.parent(t, "asker", nil)
	p.answers = true
	return p
}

func TestWorkIsQueuedByMessage(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		p := fam.asker(t)
		q := p.child(t, fam.System, "q")
		var ran atomic.Int32
		count := func(*cmwq.Context) error { ran.Add(1); return nil }
		w, keyed, on, after := cmwq.NewWork(count), cmwq.NewWork(count), cmwq.NewWork(count), cmwq.NewWork(count)
		require.Equal(t, []any{
			&messages.Queued{Work: w}, &messages.Queued{Work: keyed}, &messages.Queued{Work: on}, &messages.Queued{Work: after},
			&messages.Queued{}, &messages.Queued{},
			&messages.Queued{Work: after, Err: cmwq.ErrPending},
		}, p.asks(q.PID(),
			&messages.Queue{Work: w}, &messages.Queue{Work: keyed, Key: "k"}, &messages.QueueOn{Work: on, CPU: 1},
			&messages.QueueAfter{Work: after, Delay: time.Minute},
			&messages.Go{Func: count}, &messages.Go{Func: count, Key: "k"},
			&messages.Queue{Work: after}))
		require.EqualValues(t, 5, ran.Load())
		require.Equal(t, cmwq.Busy{Pending: true}, after.Busy())
		time.Sleep(time.Minute)
		synctest.Wait()
		require.EqualValues(t, 6, ran.Load())

		bad := []any{}
		for _, m := range []any{
			&messages.Queue{}, &messages.Queue{Work: &cmwq.Work{}}, &messages.Queue{Work: w, Key: []int{}},
			&messages.QueueOn{Work: w, CPU: 7}, &messages.Go{}, &messages.QueueAfter{Work: w, Key: []int{}, Delay: time.Second},
		} {
			for _, a := range p.asks(q.PID(), m) {
				bad = append(bad, a.(*messages.Queued).Err)
			}
		}
		require.Equal(t, []any{cmwq.ErrNoFunc, cmwq.ErrNoFunc, cmwq.ErrKey, cmwq.ErrCPU, cmwq.ErrNoFunc, cmwq.ErrKey}, bad)
	})
}

// Messages of one sender are done in order, whether they take turns of others or not.
func TestWorkIsCancelledAndChangedByMessage(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		p := fam.asker(t)
		q := p.child(t, fam.System, "q", cmwq.MaxActive(1))
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		var ran atomic.Int32
		w := cmwq.NewWork(func(*cmwq.Context) error { ran.Add(1); return nil })
		for range 20 {
			require.Equal(t, []any{
				&messages.Queued{Work: w}, &messages.Cancelled{Work: w, WasPending: true},
				&messages.Queued{Work: w}, &messages.Modified{Work: w, WasPending: true},
				&messages.Queued{Work: w, Err: cmwq.ErrPending},
				&messages.Modified{Work: w, WasPending: true}, &messages.Cancelled{Work: w, WasPending: true},
				&messages.Cancelled{Work: w}, &messages.Modified{Work: w}, &messages.Cancelled{Work: w, WasPending: true},
			}, p.asks(q.PID(),
				&messages.Queue{Work: w}, &messages.Cancel{Work: w},
				&messages.Queue{Work: w}, &messages.Modify{Work: w, Delay: time.Minute},
				&messages.Queue{Work: w},
				&messages.Modify{Work: w, Key: "k"}, &messages.Cancel{Work: w},
				&messages.Cancel{Work: w}, &messages.Modify{Work: w, Delay: time.Second}, &messages.Cancel{Work: w}))
		}
		require.Equal(t, []any{
			&messages.Disabled{Work: w}, &messages.Queued{Work: w, Err: cmwq.ErrDisabled},
			&messages.Enabled{Work: w}, &messages.Enabled{Work: w, Err: cmwq.ErrEnabled},
			&messages.Cancelled{Err: cmwq.ErrNoFunc}, &messages.Modified{Err: cmwq.ErrNoFunc},
		}, p.asks(q.PID(), &messages.Disable{Work: w}, &messages.Queue{Work: w}, &messages.Enable{Work: w}, &messages.Enable{Work: w},
			&messages.Cancel{}, &messages.Modify{}))

		// These wait for the run that goes on.
		require.Empty(t, p.asks(q.PID(), &messages.CancelWait{Work: g.Work}, &messages.FlushWork{Work: g.Work}, &messages.Disable{Work: g.Work}))
		require.Equal(t, []any{&messages.Queued{Work: w}}, p.asks(q.PID(), &messages.Queue{Work: w}), "nobody is held up")
		g.open <- struct{}{}
		require.ElementsMatch(t, []any{
			&messages.Cancelled{Work: g.Work}, &messages.Flushed{Work: g.Work}, &messages.Disabled{Work: g.Work},
		}, p.asks(q.PID()))
		require.Equal(t, cmwq.Busy{Disabled: true}, g.Busy())
		require.EqualValues(t, 1, ran.Load())
	})
}

func TestAQueueIsFlushedDrainedAndDestroyedByMessage(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		p := fam.asker(t)
		q := p.child(t, fam.System, "q")
		require.Equal(t, []any{&messages.Flushed{}, &messages.Drained{}}, p.asks(q.PID(), &messages.Flush{}, &messages.Drain{}))
		nap := func() {
			require.NoError(t, q.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Second) }))
			synctest.Wait()
		}
		nap()
		require.Empty(t, p.asks(q.PID(), &messages.Flush{}, &messages.Drain{}))
		require.Equal(t, []any{&messages.Queued{Err: cmwq.ErrDraining}}, p.asks(q.PID(), &messages.Go{Func: func(*cmwq.Context) error { return nil }}))
		time.Sleep(time.Second)
		require.Equal(t, []any{&messages.Flushed{}, &messages.Drained{}}, p.asks(q.PID()))
		nap()
		require.Empty(t, p.asks(q.PID(), &messages.Destroy{}, &messages.Flush{}, &messages.Destroy{}))
		time.Sleep(time.Second)
		answers := p.asks(q.PID())
		require.Len(t, answers, 4)
		require.Equal(t, []any{&messages.Flushed{}, &messages.Destroyed{}, &messages.Destroyed{Err: cmwq.ErrDestroyed}}, answers[:3], "it was the second")
		require.IsType(t, &actor.Terminated{}, answers[3])

		// Who waits when it is abandoned, or comes after the end, is answered, too.
		q = p.child(t, fam.System, "q", cmwq.Shutdown(0))
		nap()
		require.Empty(t, p.asks(q.PID(), &messages.Flush{}, &messages.Drain{}))
		q2 := p.child(t, fam.System, "q2")
		require.NoError(t, q2.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Hour) }))
		require.Empty(t, p.asks(q2.PID(), &messages.Destroy{}))
		p.do(func(ctx actor.Context) { ctx.Stop(q.PID()) })
		answers = p.asks(q.PID())
		require.Equal(t, []any{&messages.Flushed{Err: cmwq.ErrAbandoned}, &messages.Drained{Err: cmwq.ErrAbandoned}}, answers[:2])
		p.do(func(ctx actor.Context) { ctx.Stop(q2.PID()) }) // it drains for 5 s more
		time.Sleep(5 * time.Second)
		require.Equal(t, &messages.Destroyed{Err: cmwq.ErrAbandoned}, p.asks(q.PID())[0])

		require.Equal(t, []any{&messages.Drained{Err: cmwq.ErrSystemQueue}, &messages.Destroyed{Err: cmwq.ErrSystemQueue}},
			p.asks(fam.Managed().PID(), &messages.Drain{}, &messages.Destroy{}))
	})
}

func TestAQueueIsChangedAndInspectedByMessage(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		p := fam.asker(t)
		q := p.child(t, fam.System, "q")
		for range 3 {
			require.NoError(t, q.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Second) }))
		}
		synctest.Wait()
		attrs, err := cmwq.AttrsMessage(cmwq.Nice(5))
		require.NoError(t, err)
		require.Equal(t, []any{&messages.MaxActiveSet{}, &messages.AttrsSet{}}, p.asks(q.PID(), &messages.SetMaxActive{N: 2}, attrs))
		require.Equal(t, 5, q.Attrs().Nice)
		a := p.asks(q.PID(), &messages.Inspect{})[0].(*messages.Inspected)
		require.NoError(t, a.Err)
		require.Equal(t, "asker/q", a.Queue)
		require.Equal(t, 2, a.Stats.MaxActive)
		require.EqualValues(t, 3, a.Stats.Started)

		ordered := p.child(t, fam.System, "ordered", cmwq.Ordered())
		require.Equal(t, []any{&messages.MaxActiveSet{Err: cmwq.ErrOrdered}}, p.asks(ordered.PID(), &messages.SetMaxActive{N: 2}))
		perCPU := p.child(t, fam.System, "percpu", cmwq.PerCPU())
		require.Equal(t, []any{&messages.AttrsSet{Err: cmwq.ErrPerCPU}}, p.asks(perCPU.PID(), attrs))
		require.Equal(t, []any{&messages.AttrsSet{Err: cmwq.ErrOption}}, p.asks(q.PID(), &messages.SetAttrs{}))
		_, err = cmwq.AttrsMessage(cmwq.MaxActive(3))
		require.ErrorIs(t, err, cmwq.ErrOption)
		_, err = cmwq.AttrsMessage(cmwq.Nice(99))
		require.ErrorIs(t, err, cmwq.ErrOption)
	})
}

// A refusal that nobody is told of is logged, and so is what a queue does not know.
func TestRefusalsWithoutASenderAreLogged(t *testing.T) {
	var b bytes.Buffer
	withActors(t, func(t *testing.T, fam *family) {
		p := fam.parent(t, "user", nil)
		q := p.child(t, fam.System, "q")
		w := cmwq.NewWork(func(*cmwq.Context) error { return nil })
		require.NoError(t, q.QueueAfter(time.Hour, w))
		fam.as.Root.Send(q.PID(), &messages.Queue{Work: w}) // it will run
		synctest.Wait()
		require.Empty(t, b.String())
		for _, m := range []any{&messages.Queue{}, &messages.QueueOn{Work: w, CPU: 9}, messages.Flush{}, "what?"} {
			fam.as.Root.Send(q.PID(), m)
			synctest.Wait()
		}
		logged := warnings(t, &b)
		require.Len(t, logged, 4)
		require.Equal(t, cmwq.ErrNoFunc.Error(), logged[0]["err"])
		require.Equal(t, cmwq.ErrCPU.Error(), logged[1]["err"])
		require.Equal(t, "messages.Flush", logged[2]["message"])
		require.Equal(t, "string", logged[3]["message"])
	}, cmwq.WithLogger(slog.New(slog.NewJSONHandler(&b, &slog.HandlerOptions{Level: slog.LevelWarn}))))
}
