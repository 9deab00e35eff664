package measure

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/cmwq/cmwq"
)

// batch is how many items are queued between two looks at the clock.
const batch = 4096

// contender queues so many items and has them run.
type contender func(n int) error

// race measures two contenders in turns: nanoseconds and allocations of an item.
func race(ctx context.Context, o Options, ours, theirs contender) (r Result, err error) {
	var a, b, allocs []float64
	for range o.Rounds {
		ns, mallocs, err := timed(ctx, o.Time, ours)
		if err != nil {
			return r, err
		}
		a, allocs = append(a, ns), append(allocs, mallocs)
		if ns, _, err = timed(ctx, o.Time, theirs); err != nil {
			return r, err
		}
		b = append(b, ns)
	}
	return Result{Unit: "ns", Cmwq: median(a), Other: median(b), Allocs: median(allocs)}, nil
}

func timed(ctx context.Context, d time.Duration, c contender) (ns, allocs float64, err error) {
	if err := c(8 * batch); err != nil { // warm
		return 0, 0, err
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n, start := 0, time.Now()
	for n == 0 || time.Since(start) < d {
		if ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		if err := c(batch); err != nil {
			return 0, 0, err
		}
		n += batch
	}
	spent := time.Since(start)
	runtime.ReadMemStats(&after)
	return float64(spent) / float64(n), float64(after.Mallocs-before.Mallocs) / float64(n), nil
}

func nop(*cmwq.Context) error { return nil }

func items(ctx context.Context, o Options) (rs []Result, err error) {
	err = withQueue(ctx, func(q *cmwq.Queue) error {
		ring := make([]*cmwq.Work, 8*batch) // a power of two
		for i := range ring {
			ring[i] = cmwq.NewWork(nop)
		}
		at := 0
		rs, err = besideChannel(ctx, o, func(n int) error {
			for range n {
				for q.Queue(ring[at]) != nil { // it still waits: as a bounded producer would
					runtime.Gosched()
				}
				at = (at + 1) & (len(ring) - 1)
			}
			return nil
		})
		return err
	})
	return rs, err
}

func closures(ctx context.Context, o Options) (rs []Result, err error) {
	err = withQueue(ctx, func(q *cmwq.Queue) error {
		rs, err = besideChannel(ctx, o, func(n int) error {
			for range n {
				if err := q.Go(nop); err != nil {
					return err
				}
			}
			return q.Flush(ctx)
		})
		return err
	})
	return rs, err
}

// besideChannel measures beside the pool that everybody writes: a channel of 1024, and
// a worker a CPU.
func besideChannel(ctx context.Context, o Options, ours contender) ([]Result, error) {
	ch := make(chan func(), 1024)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for f := range ch {
				f()
			}
		})
	}
	r, err := race(ctx, o, ours, func(n int) error {
		f := func() {}
		for range n {
			ch <- f
		}
		return nil
	})
	close(ch)
	workers.Wait()
	r.What, r.Peer = "1 producer", "channel, a worker a CPU"
	return []Result{r}, err
}

const window = 1024

func results(ctx context.Context, o Options) (rs []Result, err error) {
	err = withQueue(ctx, func(q *cmwq.Queue) error {
		one := func(*cmwq.Context) (int, error) { return 1, nil }
		var under [window]*cmwq.Future[int]
		at := 0
		var other [window]chan int
		r, err := race(ctx, o, func(n int) error {
			for range n {
				if f := under[at]; f != nil {
					if _, err := f.Wait(ctx); err != nil {
						return err
					}
				}
				under[at] = cmwq.Submit(q, one)
				at = (at + 1) % window
			}
			return nil
		}, func(n int) error {
			for i := range n {
				if c := other[i%window]; c != nil {
					<-c
				}
				c := make(chan int, 1)
				other[i%window] = c
				go func() { c <- 1 }()
			}
			return nil
		})
		r.What, r.Peer = "1 producer", "go func, a channel each"
		rs = []Result{r}
		return err
	})
	return rs, err
}
