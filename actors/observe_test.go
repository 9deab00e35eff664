package actors

import (
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// heard is an observer that keeps what it is told of items.
type heard struct {
	mu     sync.Mutex
	events []messages.Event
}

func (h *heard) Observe(e messages.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e.Item != 0 {
		h.events = append(h.events, e)
	}
}

// take gives the kinds told since the last call, and the error of the last event.
func (h *heard) take() (kinds []string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.events {
		kinds, err = append(kinds, e.Kind.String()), e.Err
	}
	h.events = nil
	return kinds, err
}

// A queueing that found the queue open and its pools gone is told as queued and as
// cancelled: its story has an end.
func TestQueueingThatComesTooLateIsToldToTheEnd(t *testing.T) {
	h := &heard{}
	bubble(t, 1, func(o *Options) { o.Observers = []messages.Observer{h} }, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		require.NoError(t, sys.Stop(t.Context()))
		synctest.Wait()
		q.flags.Store(0) // as its caller has seen it
		late := func(err error) {
			t.Helper()
			require.ErrorIs(t, err, messages.ErrStopped)
			kinds, err := h.take()
			require.Equal(t, []string{"queue", "cancel"}, kinds)
			require.ErrorIs(t, err, messages.ErrStopped)
		}
		f := func(*messages.Context) error { return nil }
		j := newJob(nil)
		late(q.Queue(&j.it, j.f, false))
		late(q.Go(f, false))
		late(q.Keyed("k").Queue(&j.it, j.f, false))
		late(q.Keyed("k").Go(f, false))
		_, err := q.Modify(0, messages.AnyCPU, &j.it, j.f, false)
		late(err)
		require.Zero(t, j.it.State()&messages.Pending)
	})
}
