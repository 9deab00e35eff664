package measure

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/cmwq/cmwq"
)

// latency measures submit to start, back to back, for a queue and for goroutines.
func latency(ctx context.Context, o Options) (rs []Result, err error) {
	base := time.Now()
	started := make(chan time.Duration, 1)
	sample := func(submit func()) (waits []time.Duration) {
		for end := time.Now().Add(o.Time); ctx.Err() == nil && (len(waits) < 100 || time.Now().Before(end)); {
			at := time.Since(base)
			submit()
			waits = append(waits, <-started-at)
		}
		slices.Sort(waits)
		return waits
	}
	err = withQueue(ctx, func(q *cmwq.Queue) error {
		w := cmwq.NewWork(func(*cmwq.Context) error { started <- time.Since(base); return nil })
		rs, err = quantiles(ctx, o, "go func", func() []time.Duration {
			return sample(func() {
				for q.Queue(w) != nil {
					runtime.Gosched()
				}
			})
		}, func() []time.Duration {
			return sample(func() { go func() { started <- time.Since(base) }() })
		})
		return err
	})
	return rs, err
}

// quantiles takes the median and the 99th percentile of waits, in turns.
func quantiles(ctx context.Context, o Options, peer string, ours, theirs func() []time.Duration) ([]Result, error) {
	var a50, a99, b50, b99 []float64
	for range o.Rounds {
		a, b := ours(), theirs()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		a50, a99 = append(a50, float64(a[len(a)/2])), append(a99, float64(a[len(a)*99/100]))
		b50, b99 = append(b50, float64(b[len(b)/2])), append(b99, float64(b[len(b)*99/100]))
	}
	return []Result{
		{What: "p50", Unit: "ns", Cmwq: median(a50), Peer: peer, Other: median(b50), Allocs: -1},
		{What: "p99", Unit: "ns", Cmwq: median(a99), Peer: peer, Other: median(b99), Allocs: -1},
	}, nil
}

const (
	perMilli = 10
	burn     = 50 * time.Microsecond
	nap      = 10 * time.Millisecond
)

// mixed measures an open loop: tasks come by the clock, whatever becomes of those
// before, and a task's wait is its start less the time at which it was to come.
func mixed(ctx context.Context, o Options) (rs []Result, err error) {
	n := max(100, int(o.Time/time.Millisecond)*perMilli)
	burnFor(0) // calibrated before anything is measured
	err = withQueue(ctx, func(q *cmwq.Queue) error {
		quiet, err := quantiles(ctx, o, "go func", func() []time.Duration {
			return open(ctx, n, func(task func(sleep func(time.Duration))) {
				_ = q.Go(func(*cmwq.Context) error { task(time.Sleep); return nil })
			})
		}, func() []time.Duration {
			return open(ctx, n, func(task func(sleep func(time.Duration))) { go task(time.Sleep) })
		})
		if err != nil {
			return err
		}
		said, err := quantiles(ctx, o, "go func", func() []time.Duration {
			return open(ctx, n, func(task func(sleep func(time.Duration))) {
				_ = q.Go(func(c *cmwq.Context) error { task(func(d time.Duration) { _ = c.Sleep(d) }); return nil })
			})
		}, func() []time.Duration {
			return open(ctx, n, func(task func(sleep func(time.Duration))) { go task(time.Sleep) })
		})
		for _, r := range quiet {
			r.What += ", sleeps undeclared"
			rs = append(rs, r)
		}
		for _, r := range said {
			r.What += ", sleeps declared"
			rs = append(rs, r)
		}
		return err
	})
	return rs, err
}

// open submits n tasks by the clock, and gives their waits, sorted.
func open(ctx context.Context, n int, submit func(task func(sleep func(time.Duration)))) []time.Duration {
	waits := make([]time.Duration, n)
	r := rand.New(rand.NewPCG(1, 1)) // the same tasks each time
	var left sync.WaitGroup
	begin := time.Now()
	for i := 0; i < n && ctx.Err() == nil; {
		due := begin.Add(time.Duration(i/perMilli) * time.Millisecond)
		if w := time.Until(due); w > 0 {
			time.Sleep(w)
		}
		for k := 0; k < perMilli && i < n; k++ {
			at, sleeps := i, r.IntN(10) == 0
			left.Add(1)
			submit(func(sleep func(time.Duration)) {
				defer left.Done()
				waits[at] = time.Since(due)
				if sleeps {
					sleep(nap)
					return
				}
				burnFor(burn)
			})
			i++
		}
	}
	left.Wait()
	slices.Sort(waits)
	return waits
}
