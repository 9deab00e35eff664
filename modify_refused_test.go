package cmwq_test

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// An idle item that a Modify is refused for is never pending: who looks, or queues it
// elsewhere, would take it for one that will run.
func TestARefusedModifyLeavesTheItemIdle(t *testing.T) {
	sys := start(t, silent())
	hold := newGate()
	for name, refusing := range map[string]struct {
		opts  []cmwq.QueueOption
		ready func(q *cmwq.Queue)
		want  error
	}{
		"destroyed": {ready: func(q *cmwq.Queue) { require.NoError(t, q.Destroy(bg)) }, want: cmwq.ErrDestroyed},
		"full": {
			opts: []cmwq.QueueOption{cmwq.MaxActive(1), cmwq.Bounded(1, cmwq.Refuse)},
			ready: func(q *cmwq.Queue) {
				require.NoError(t, q.Queue(hold.Work))
				<-hold.entered
				require.NoError(t, q.QueueAfter(time.Hour, cmwq.NewWork(nop)))
			},
			want: cmwq.ErrFull,
		},
	} {
		t.Run(name, func(t *testing.T) {
			q := queue(t, sys, name, refusing.opts...)
			refusing.ready(q)
			w := cmwq.NewWork(nop)
			looks, done := make(chan struct{}), make(chan struct{})
			var wg sync.WaitGroup
			wg.Go(func() {
				close(looks)
				for {
					select {
					case <-done:
						return
					default:
						if w.Pending() {
							t.Error("it is pending")
							return
						}
					}
				}
			})
			<-looks
			for i := range short.Rounds(10000) {
				was, err := q.Modify(time.Duration(i%2)*time.Second, w)
				require.ErrorIs(t, err, refusing.want)
				require.False(t, was)
			}
			close(done)
			wg.Wait()
		})
	}
	hold.open <- struct{}{}
}

// An item that is disabled as a Modify begins is either refused or pending: a Queue that
// finds it pending is not told so of one that is refused.
func TestModifyBesideDisable(t *testing.T) {
	sys := start(t, silent())
	q := queue(t, sys, "q")
	for range short.Rounds(10000) {
		w := cmwq.NewWork(nop)
		var queued, modified error
		var ready atomic.Int32
		together := func() {
			for ready.Add(1); ready.Load() < 3; {
				runtime.Gosched()
			}
		}
		var wg sync.WaitGroup
		wg.Go(func() { together(); _, modified = q.Modify(time.Hour, w) })
		wg.Go(func() { together(); queued = q.Queue(w) })
		together()
		_, err := w.Disable(bg)
		require.NoError(t, err)
		wg.Wait()
		require.False(t, w.Pending())
		if errors.Is(queued, cmwq.ErrPending) {
			require.NoError(t, modified, "what was it that was pending?")
		}
	}
}
