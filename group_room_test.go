package cmwq_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// roomTaken makes a group with a limit of one, of which a member runs and others are
// held, on a queue whose room somebody else has.
func roomTaken(ctx context.Context, t *testing.T, sys *cmwq.System, view func(*cmwq.Queue) cmwq.Queuer, kind ...cmwq.QueueOption) (q *cmwq.Queue, g *cmwq.Group[int], open chan struct{}) {
	t.Helper()
	q = queue(t, sys, "q", append(kind, cmwq.Bounded(1, cmwq.Refuse))...)
	g = cmwq.NewGroup[int](ctx, view(q))
	g.SetLimit(1)
	gate, open := plainGate()
	g.Go(gate)
	for i := range 2 {
		g.Submit(func(*cmwq.Context) (int, error) { return i, nil })
	}
	synctest.Wait()
	require.NoError(t, q.Go(nop))
	return q, g, open
}

var views = map[string]func(*cmwq.Queue) cmwq.Queuer{
	"queue":      func(q *cmwq.Queue) cmwq.Queuer { return q },
	"view":       func(q *cmwq.Queue) cmwq.Queuer { return q.With(bg) },
	"keyed":      func(q *cmwq.Queue) cmwq.Queuer { return q.Keyed("k") },
	"keyed view": func(q *cmwq.Queue) cmwq.Queuer { return q.With(bg).Keyed("k") },
}

// A member beyond the limit waits for room without the slot of the one before it.
func TestGroupLimitWaitsForRoom(t *testing.T) {
	for name, kind := range allKinds {
		for by, view := range views {
			t.Run(name+" "+by, func(t *testing.T) {
				bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
					_, g, open := roomTaken(bg, t, sys, view, kind...)
					close(open)
					require.NoError(t, g.Wait(bg))
					var got []int
					for v, err := range g.Results() {
						require.NoError(t, err)
						got = append(got, v)
					}
					require.Equal(t, []int{0, 1}, got)
				})
			})
		}
	}
}

// Who waits for room does not outlast its group, nor the queue.
func TestGroupEndsWhileItWaitsForRoom(t *testing.T) {
	for name, end := range map[string]func(*cmwq.Queue, *cmwq.Group[int], context.CancelFunc){
		"cancelled":   func(_ *cmwq.Queue, _ *cmwq.Group[int], cancel context.CancelFunc) { cancel() },
		"queue":       func(q *cmwq.Queue, _ *cmwq.Group[int], _ context.CancelFunc) { go func() { _ = q.Destroy(bg) }() },
		"its members": func(_ *cmwq.Queue, g *cmwq.Group[int], _ context.CancelFunc) { g.SetLimit(-1); g.Submit(nil) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				ctx, cancel := context.WithCancel(bg)
				defer cancel()
				q, g, open := roomTaken(ctx, t, sys, views["queue"], cmwq.MaxActive(1))
				gate, shut := plainGate()
				require.ErrorIs(t, q.Go(gate), cmwq.ErrFull)
				close(open)
				synctest.Wait() // the next member waits no more
				require.NoError(t, g.Wait(bg))
				require.NoError(t, q.Go(gate))
				synctest.Wait()
				require.NoError(t, q.Go(nop), "the room")
				waits := make(chan *cmwq.Future[int])
				go func() { waits <- g.Submit(func(*cmwq.Context) (int, error) { return 0, nil }) }()
				synctest.Wait()
				end(q, g, cancel)
				synctest.Wait()
				if name == "queue" {
					close(shut)
				}
				_, err := (<-waits).Wait(bg)
				if name != "queue" {
					require.Error(t, err)
					close(shut)
				} else {
					require.ErrorIs(t, err, cmwq.ErrDestroyed)
				}
				require.Error(t, g.Wait(bg))
				time.Sleep(time.Second)
			})
		})
	}
}
