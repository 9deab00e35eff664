package cmwq_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/supervisor"
)

func TestDeadLettersByMessage(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		p := fam.asker(t)
		q := p.child(t, fam.System, "q", cmwq.Ordered(), cmwq.Supervise(supervisor.DeadLetter(10)))
		down, ran := errors.New("down"), 0
		w := cmwq.NewWork(func(*cmwq.Context) error {
			if ran++; ran == 1 {
				return down
			}
			return nil
		})
		require.NoError(t, q.Queue(w))
		require.NoError(t, q.Go(func(*cmwq.Context) error { return down }))
		synctest.Wait()
		listed := p.asks(q.PID(), &messages.DeadLetters{})[0].(*messages.DeadLettersListed)
		require.NoError(t, listed.Err)
		require.Len(t, listed.Letters, 2)
		require.ErrorIs(t, listed.Letters[0].Err, down)
		require.Equal(t, []any{&messages.Requeued{N: 1}}, p.asks(q.PID(), &messages.Requeue{IDs: []uint64{listed.Letters[0].ID}}))
		require.NoError(t, w.Flush(bg))
		require.Equal(t, 2, ran)
		require.Equal(t, []any{&messages.Discarded{N: 1}}, p.asks(q.PID(), &messages.Discard{}))
		require.Equal(t, []any{&messages.Discarded{}}, p.asks(q.PID(), &messages.Discard{}))
	})
}

func TestAQueueIsServedOtherwiseByMessage(t *testing.T) {
	withActors(t, func(t *testing.T, fam *family) {
		p := fam.asker(t)
		q := p.child(t, fam.System, "q")
		require.Equal(t, []any{&messages.RateSet{}}, p.asks(q.PID(), &messages.SetRate{PerSecond: 1, Burst: 1}))
		began := time.Now()
		for range 3 {
			require.NoError(t, q.Go(nop))
		}
		require.NoError(t, q.Flush(bg))
		require.Equal(t, 2*time.Second, time.Since(began), "one a second after the first")
		refused := p.asks(q.PID(), &messages.SetRate{PerSecond: -1, Burst: 1})[0].(*messages.RateSet)
		require.ErrorIs(t, refused.Err, cmwq.ErrOption)

		require.Equal(t, []any{&messages.MinActiveSet{}}, p.asks(q.PID(), &messages.SetMinActive{N: 2}))
		require.Equal(t, []any{&messages.MinActiveSet{Err: cmwq.ErrOption}}, p.asks(q.PID(), &messages.SetMinActive{N: -1}))
		require.Equal(t, []any{&messages.Fixed{}}, p.asks(q.PID(), &messages.Fix{N: 2, Depth: 4}))
		require.Equal(t, []any{&messages.Fixed{Err: cmwq.ErrFixed}}, p.asks(q.PID(), &messages.Fix{N: 2}))
		require.Equal(t, []any{&messages.Fixed{}}, p.asks(q.PID(), &messages.Fix{}))
		require.Equal(t, []any{&messages.Fixed{Err: cmwq.ErrSystemQueue}}, p.asks(fam.Managed().PID(), &messages.Fix{N: 1, Depth: 1}))
	})
}
