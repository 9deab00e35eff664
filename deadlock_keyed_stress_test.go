package cmwq_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// restless are items that queue each other and wait for each other as they like.
type restless struct {
	t              *testing.T
	queues         []*cmwq.Queue
	items          [12]*cmwq.Work
	refused, ended atomic.Int64
	over           atomic.Bool // they are to end; queues refuse what comes
}

func (r *restless) any() *cmwq.Queue { return r.queues[rand.IntN(len(r.queues))] }

func (r *restless) key() *cmwq.Keyed { return r.any().Keyed(rand.IntN(3)) }

// queue queues an item that may be pending, or disabled by who cancels it.
func (r *restless) queue(w *cmwq.Work) {
	var err error
	if rand.IntN(3) == 0 {
		err = r.any().Queue(w)
	} else {
		err = r.key().Queue(w)
	}
	if err != nil && !errors.Is(err, cmwq.ErrPending) && !errors.Is(err, cmwq.ErrDisabled) && !r.over.Load() {
		r.t.Error(err)
	}
}

func (r *restless) run(ctx *cmwq.Context) error {
	for range 2 {
		if r.over.Load() {
			return nil
		}
		var err error
		other := r.items[rand.IntN(len(r.items))]
		switch rand.IntN(8) {
		case 0:
			err = r.any().Flush(ctx)
		case 1:
			_, err = other.CancelWait(ctx)
		case 2, 3:
			r.queue(other)
		case 4:
			_, err = cmwq.Submit(r.key(), func(*cmwq.Context) (int, error) { return 0, nil }).Wait(ctx)
		default:
			err = other.Flush(ctx)
		}
		switch {
		case errors.Is(err, cmwq.ErrDeadlock):
			r.refused.Add(1)
		case err == nil:
			r.ended.Add(1)
		case !errors.Is(err, cmwq.ErrCancelled) && !r.over.Load():
			r.t.Error(err)
		}
	}
	return nil
}

// change gives a queue other pools, slots or fixed workers.
func (r *restless) change() {
	var err error
	switch q := r.queues[rand.IntN(2)]; rand.IntN(4) {
	case 0, 1:
		err = q.SetAttrs(bg, cmwq.Affinity(scopes[rand.IntN(len(scopes))], false))
	case 2:
		err = r.queues[1].SetMaxActive(1 + rand.IntN(3))
	default:
		err = r.queues[0].Fix(rand.IntN(3), 4)
	}
	if err != nil {
		r.t.Error(err)
	}
}

// Items of keys wait for whom they like while they are queued with other keys, and
// pools, limits and fixed workers come and go: nobody waits for ever.
func TestStressRandomWaitsWithKeysNeverHang(t *testing.T) {
	for _, changes := range []bool{false, true} {
		machine, _ := pods(t, fourPods)
		sys := start(t, silent(), machine)
		r := &restless{t: t, queues: []*cmwq.Queue{
			queue(t, sys, "managed"), queue(t, sys, "two", cmwq.Unbound(), cmwq.MaxActive(2)),
			queue(t, sys, "ordered", cmwq.Ordered()), queue(t, sys, "percpu", cmwq.PerCPU(), cmwq.MaxActive(1)),
		}}
		for i := range r.items {
			r.items[i] = cmwq.NewWork(r.run)
		}
		ctx, cancel := context.WithTimeout(bg, 60*time.Second)
		defer cancel()
		for range short.Rounds(150) {
			for _, w := range r.items {
				r.queue(w)
			}
			if changes {
				r.change()
			}
			for _, q := range r.queues {
				require.NoError(t, q.Flush(ctx), "somebody waits for ever")
			}
		}
		r.over.Store(true)
		for _, q := range r.queues {
			require.NoError(t, q.Drain(ctx), "somebody waits for ever")
		}
		require.Positive(t, r.refused.Load())
		require.Positive(t, r.ended.Load())
	}
}
