package main

import (
	"context"
	"slices"
	"time"

	"github.com/cmwq/cmwq"
)

// Row is what was found of one setup.
type Row struct {
	Setup  string        `json:"setup"`
	Waits  bool          `json:"waits"` // expected: for the end of the hog
	Median time.Duration `json:"median_ns"`
	Max    time.Duration `json:"max_ns"`
	Of     float64       `json:"of_reference"` // the median by the hog's time, or the job's own
}

// Found is everything: how long items wait behind a hog, what the job took, and what the
// Go scheduler itself takes to start something beside such a load.
type Found struct {
	Hog   time.Duration `json:"hog_ns"`
	Own   time.Duration `json:"job_ns"` // the job without the hog
	Slice Row           `json:"slice"`
	Waits []Row         `json:"waits"`
	Jobs  []Row         `json:"jobs"`
}

func (l *lab) measure(ctx context.Context) (*Found, error) {
	f := &Found{Hog: l.hog, Own: l.hog / 2}
	var err error
	if f.Slice, err = l.repeat(ctx, setup{name: "a goroutine beside such a load"}, l.times, l.hog, (*scene).goroutine); err != nil {
		return nil, err
	}
	for _, s := range setups() {
		row, err := l.repeat(ctx, s, l.times, l.hog, (*scene).wait)
		if err != nil {
			return nil, err
		}
		f.Waits = append(f.Waits, row)
	}
	for _, s := range jobs() {
		row, err := l.repeat(ctx, s, l.jobs, f.Own, (*scene).job)
		if err != nil {
			return nil, err
		}
		f.Jobs = append(f.Jobs, row)
	}
	return f, nil
}

// repeat measures several times what should be short: the machine has other things to do.
func (l *lab) repeat(ctx context.Context, s setup, times int, ref time.Duration,
	measure func(*scene, context.Context) (time.Duration, error)) (Row, error) {
	if s.waits {
		times = 1
	}
	var took []time.Duration
	for range times {
		c, err := l.open(s)
		if err != nil {
			return Row{}, err
		}
		d, err := measure(c, ctx)
		if err := c.close(err); err != nil {
			return Row{}, err
		}
		took = append(took, d)
	}
	slices.Sort(took)
	m := took[len(took)/2]
	return Row{Setup: s.name, Waits: s.waits, Median: m, Max: took[len(took)-1], Of: float64(m) / float64(ref)}, nil
}

// wait queues a hog and an item behind it, and gives the time from queueing that item
// to its start.
func (c *scene) wait(ctx context.Context) (time.Duration, error) {
	hogs, others, err := c.queues()
	if err != nil {
		return 0, err
	}
	if err := hogs.QueueOn(0, cmwq.NewWork(c.holds)); err != nil {
		return 0, err
	}
	at := time.Now()
	wait := cmwq.SubmitOn(others, 0, func(*cmwq.Context) (time.Duration, error) { return time.Since(at), nil })
	return wait.Wait(ctx)
}

// goroutine is the same without queues.
func (c *scene) goroutine(ctx context.Context) (time.Duration, error) {
	started := make(chan time.Duration, 1)
	c.busy.Go(func() {
		at := time.Now()
		c.busy.Go(func() { started <- time.Since(at) })
		for !c.end.Load() {
			c.lab.burn(time.Millisecond)
		}
	})
	select {
	case d := <-started:
		return d, nil
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

// job has a hog queued, asks for something to be done on the same CPU, waits for that,
// and then takes its own time. That is spent asleep here: a job that burns would share
// CPUs with the hog, which is not what is measured.
func (c *scene) job(ctx context.Context) (time.Duration, error) {
	hogs, _, err := c.queues()
	if err != nil {
		return 0, err
	}
	start := time.Now()
	if err := hogs.QueueOn(0, cmwq.NewWork(c.holds)); err != nil {
		return 0, err
	}
	if err := c.sys.RunOn(ctx, 0, func(*cmwq.Context) error { return nil }); err != nil {
		return 0, err
	}
	time.Sleep(c.lab.hog / 2)
	return time.Since(start), nil
}
