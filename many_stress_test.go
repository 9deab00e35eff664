package cmwq_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/topology"
)

// crowd is many queues whose short items stand on the worklist in turn, so that leases
// hold items of several; some of these sleep, hog, fail or come back.
type crowd struct {
	t      *testing.T
	sys    *cmwq.System
	queues []*crowdQueue
	ends   chan struct{}
}

type crowdQueue struct {
	*cmwq.Queue
	limit                           int32 // 0: any
	in                              atomic.Int32
	ran, accepted, cancelled, fails atomic.Int64
}

func newCrowd(t *testing.T) *crowd {
	c := &crowd{t: t, ends: make(chan struct{})}
	c.sys = start(t, silent(), cmwq.WithOnFailure(func(string, error) {}))
	for i := range 24 {
		q := &crowdQueue{}
		opts := []cmwq.QueueOption{cmwq.Freezable()}
		switch i % 6 {
		case 1:
			q.limit = 2
			opts = append(opts, cmwq.MaxActive(2))
		case 2:
			opts = append(opts, cmwq.PerCPU())
		case 3:
			opts = append(opts, cmwq.Unbound())
		case 4:
			q.limit = 1
			opts = append(opts, cmwq.Ordered())
		}
		q.Queue = queue(t, c.sys, fmt.Sprint("q", i), opts...)
		c.queues = append(c.queues, q)
	}
	return c
}

// body is what an item of the queue does, as the n-th.
func (c *crowd) body(q *crowdQueue, n int, self func() *cmwq.Work) func(*cmwq.Context) error {
	var alone atomic.Int32
	return func(ctx *cmwq.Context) error {
		if self != nil {
			if alone.Add(1) != 1 {
				c.t.Error("an item runs twice at once")
			}
			defer alone.Add(-1)
		}
		if in := q.in.Add(1); q.limit > 0 && in > q.limit {
			c.t.Errorf("%s: %d run, of %d", q.Name(), in, q.limit)
		}
		defer q.in.Add(-1)
		if of := cmwq.CurrentQueue(ctx); of.Name() != q.Name() {
			c.t.Errorf("an item of %s thinks it is of %s", q.Name(), of.Name())
		}
		q.ran.Add(1)
		switch n % 997 {
		case 100:
			_ = ctx.Sleep(200 * time.Microsecond)
		case 200:
			ctx.Block(func() { runtime.Gosched() })
		case 300:
			time.Sleep(300 * time.Microsecond)
		case 400:
			q.fails.Add(1)
			panic("of the test")
		case 500:
			q.fails.Add(1)
			runtime.Goexit()
		case 600, 601:
			q.fails.Add(1)
			return errors.New("of the test")
		case 700:
			if self != nil && rand.IntN(3) > 0 && q.Queue.Queue(self()) == nil {
				q.accepted.Add(1)
			}
		case 800:
			spin(2 * time.Millisecond)
		}
		return nil
	}
}

// produce queues reusable items and closures to each queue in turn, and cancels some.
func (c *crowd) produce(p, n int) {
	items := make([]*cmwq.Work, 50*len(c.queues))
	for i := range items {
		q := c.queues[i%len(c.queues)]
		items[i] = cmwq.NewWork(c.body(q, 20*i+p, func() *cmwq.Work { return items[i] }))
	}
	for i := range n {
		k := i % len(items)
		q, w := c.queues[k%len(c.queues)], items[k]
		switch err := q.Queue.Queue(w); {
		case err == nil:
			q.accepted.Add(1)
		case !errors.Is(err, cmwq.ErrPending):
			c.t.Error(err)
		}
		if i%3 == 0 {
			if err := q.Go(c.body(q, i, nil)); err != nil {
				c.t.Error(err)
			}
			q.accepted.Add(1)
		}
		if i%37 == 0 && items[(k+p)%len(items)].Cancel() {
			c.queues[(k+p)%len(c.queues)].cancelled.Add(1)
		}
	}
}

// until does something again and again while items are queued.
func (c *crowd) until(wg *sync.WaitGroup, f func(q *crowdQueue) error) {
	wg.Go(func() {
		for {
			select {
			case <-c.ends:
				return
			case <-time.After(time.Duration(rand.IntN(300)) * time.Microsecond):
			}
			if err := f(c.queues[rand.IntN(len(c.queues))]); err != nil {
				c.t.Error(err)
			}
		}
	})
}

// flush must wait for what was queued before.
func (c *crowd) flush(q *crowdQueue) error {
	var ran atomic.Bool
	if err := q.Go(func(*cmwq.Context) error { q.ran.Add(1); ran.Store(true); return nil }); err != nil {
		return err
	}
	q.accepted.Add(1)
	err := q.Flush(bg)
	if !ran.Load() {
		c.t.Errorf("%s: a flush has not waited", q.Name())
	}
	return err
}

// Items of many queues in turn, with everything that may happen to them: each runs once
// for each acceptance, never twice at once, within the limits of its own queue, and the
// numbers of each queue are its own.
func TestStressManyQueues(t *testing.T) {
	c := newCrowd(t)
	var producers, others sync.WaitGroup
	for p := range 3 {
		producers.Go(func() { c.produce(p, short.AtLeast(500, 15000)) })
	}
	c.until(&others, c.flush)
	c.until(&others, func(q *crowdQueue) error { _, err := q.Stats(bg); return err })
	c.until(&others, func(*crowdQueue) error { return c.sys.Dump(bg, io.Discard) })
	c.until(&others, func(*crowdQueue) error { defer c.sys.Thaw(); return c.sys.Freeze(bg) })
	c.until(&others, func(q *crowdQueue) error { return errors.Join(q.Pause(bg), q.Resume()) })
	c.until(&others, func(q *crowdQueue) error {
		if q.limit == 0 {
			return q.SetMaxActive(1 + rand.IntN(1000))
		}
		return nil
	})
	c.until(&others, func(q *crowdQueue) error {
		if err := q.SetAttrs(bg, cmwq.Affinity(topology.Scope(rand.IntN(5)), true)); !errors.Is(err, cmwq.ErrPerCPU) {
			return err
		}
		return nil
	})
	producers.Wait()
	close(c.ends)
	others.Wait()
	c.sys.Thaw()
	for _, q := range c.queues {
		require.NoError(t, q.Drain(bg))
		require.Equal(t, q.accepted.Load(), q.ran.Load()+q.cancelled.Load(), q.Name())
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.Equal(t, q.ran.Load(), st.Total, q.Name())
		require.Equal(t, q.fails.Load(), st.Failed, q.Name())
		require.Zero(t, int(st.InFlight)+st.Active+st.Inactive, q.Name())
	}
}
