package actors

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// heldPool is a pool of nobody's whose turns are run by hand, and a share of it.
func heldPool(sys *System, q *Queue) (*pool, *share) {
	p := newPool(sys, "held", -1, false, policy.NewPool(policy.Unbound, 1, 1))
	p.mb.status.Store(busy)
	return p, newShare(q, p, 1)
}

// A pool that ends while its system goes on answers what reached it between its last
// turn and its end: who asked for a share's numbers would else wait for ever, and a
// rescuer that offered its worker would help nobody any more.
func TestAPoolThatEndsAnswersWhatCameLast(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{MemReclaim: true})
		synctest.Wait()
		p, s := heldPool(sys, q)
		p.ended = true
		s.pol.Stats.Completed = 7
		numbers := make(chan messages.ShareStats, 1)
		require.True(t, q.post(s, &messages.Inspect{Share: s, Reply: numbers}))
		sys.as.Root.Send(q.rescuer.pid.Load(), &messages.Mayday{Share: s})
		synctest.Wait()
		r := &q.rescuer.list
		r.Call(q.table.Load().shares[0])
		_, ok := r.Next()
		require.False(t, ok, "the worker is promised to the pool that ends")

		p.stop()
		synctest.Wait()
		require.Len(t, numbers, 1)
		require.EqualValues(t, 7, (<-numbers).Completed)
		require.Zero(t, r.Waiting(), "the next was helped")
	})
}

// A pool may be told to close for the system's end and to end by itself in one turn:
// the items that the first sealing found are not lost with the second.
func TestAPoolIsClosedTwiceInATurn(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		p, _ := heldPool(sys, newTestQueue(t, sys, "q", QueueOptions{}))
		for _, it := range items(3) {
			require.True(t, p.mb.queue(it))
		}
		p.control(&closeItems{make(chan struct{})})
		p.control(endPool{})
		var got []int64
		for it := p.closed; it != nil; it = it.Next {
			got = append(got, it.When)
		}
		require.Equal(t, []int64{0, 1, 2}, got)
	})
}
