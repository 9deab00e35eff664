package cmwq_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/messages"
)

// What ends or flushes a queue comes behind what its sender asked for before, also if that
// took a turn of another actor.
func TestMessagesOfOneSenderInOrder(t *testing.T) {
	for name, c := range map[string]struct {
		last any
		want any
	}{
		"flush":   {&messages.Flush{}, &messages.Flushed{}},
		"drain":   {&messages.Drain{}, &messages.Drained{}},
		"destroy": {&messages.Destroy{}, &messages.Destroyed{}},
	} {
		t.Run(name, func(t *testing.T) {
			withActors(t, func(t *testing.T, fam *family) {
				p := fam.parent(t, "user", nil)
				q := p.child(t, fam.System, "q")
				w, slow := cmwq.NewWork(nop), cmwq.NewWork(pauses(time.Second))
				for range 20 {
					at := since()
					fam.as.Root.Send(q.PID(), &messages.QueueAfter{Work: w, Delay: time.Hour})
					fam.as.Root.Send(q.PID(), &messages.Cancel{Work: w})
					fam.as.Root.Send(q.PID(), &messages.Queue{Work: slow})
					r, err := fam.as.Root.RequestFuture(q.PID(), c.last, time.Minute).Result()
					require.NoError(t, err)
					require.Equal(t, c.want, r)
					require.Equal(t, 1000, at(), "it waited for what was queued before")
					if name == "destroy" {
						break
					}
				}
			})
		})
	}
}

// Who makes room by dropping an item waits for a pool: not so the queue's actor.
func TestAQueueThatIsToldDropsOnAnotherGoroutine(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		p := fam.parent(t, "user", nil)
		q := p.child(t, fam.System, "q", cmwq.MaxActive(1), cmwq.Bounded(1, cmwq.DropOldest))
		asked := make(chan error, 1)
		sub := fam.as.EventStream.Subscribe(func(event any) {
			if _, ok := event.(*messages.Dropped); ok {
				asked <- q.SetMaxActive(1)
			}
		})
		defer fam.as.EventStream.Unsubscribe(sub)
		gate, open := plainGate()
		require.NoError(t, q.Go(gate))
		synctest.Wait()
		first := cmwq.Submit(q, func(*cmwq.Context) (int, error) { return 0, nil })
		r, err := fam.as.Root.RequestFuture(q.PID(), &messages.Queue{Work: cmwq.NewWork(nop)}, time.Minute).Result()
		require.NoError(t, err)
		require.NoError(t, r.(*messages.Queued).Err)
		require.NoError(t, <-asked)
		_, err = first.Wait(bg)
		require.ErrorIs(t, err, cmwq.ErrDropped)
		close(open)
	})
}

// A Work that is nil is refused, as no Work is.
func TestMessagesWithANilWork(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		q := queue(t, fam.System, "q")
		var none *cmwq.Work
		for _, m := range []messages.Request{
			&messages.Queue{Work: none}, &messages.QueueAfter{Work: none, Delay: 1}, &messages.Modify{Work: none},
			&messages.Cancel{Work: none}, &messages.Disable{Work: none}, &messages.Enable{Work: none}, &messages.FlushWork{Work: none},
			&messages.Queue{}, &messages.Cancel{},
		} {
			r, err := fam.as.Root.RequestFuture(q.PID(), m, time.Second).Result()
			require.NoError(t, err, "%T", m)
			require.ErrorIs(t, errOf(r), cmwq.ErrNoFunc, "%T", m)
		}
	})
}

func errOf(answer any) error {
	switch r := answer.(type) {
	case *messages.Queued:
		return r.Err
	case *messages.Modified:
		return r.Err
	case *messages.Cancelled:
		return r.Err
	case *messages.Disabled:
		return r.Err
	case *messages.Enabled:
		return r.Err
	case *messages.Flushed:
		return r.Err
	}
	return nil
}
