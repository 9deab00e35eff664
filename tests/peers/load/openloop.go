package load

import (
	"math/rand/v2"
	"runtime"
	"time"
)

// arrivals are when tasks are due, from the beginning of a run.
type arrivals []time.Duration

// steady has per tasks due each millisecond.
func steady(n, per int) arrivals {
	a := make(arrivals, n)
	for i := range a {
		a[i] = time.Duration(i/per) * time.Millisecond
	}
	return a
}

// poisson has so many tasks a second on average, at random, and always the same.
func poisson(n int, perSecond float64) arrivals {
	r := rand.New(rand.NewPCG(3, 4))
	a := make(arrivals, n)
	at := 0.0
	for i := range a {
		at += r.ExpFloat64() / perSecond
		a[i] = time.Duration(at * 1e9)
	}
	return a
}

// openLoop is a run in which tasks arrive by the clock, whatever the system does. The
// latency of a task is its start less its scheduled arrival, not less the moment when
// the producer got round to it: a Submit that blocks makes the tasks behind it late.
type openLoop struct {
	*tally
	at       arrivals
	lat      latencies
	makespan time.Duration // until the last task has ended
	peak     int           // most goroutines beyond those of the beginning, seen when the producer sleeps
	begin    time.Time
}

func newOpenLoop(at arrivals) *openLoop {
	return &openLoop{tally: newTally(len(at)), at: at, lat: make(latencies, len(at))}
}

// started is called by task i when it begins; its last act is one.
func (o *openLoop) started(i int) { o.lat[i] = time.Since(o.begin) - o.at[i] }

// run submits each task when it is due, and waits for all.
func (o *openLoop) run(env Env, submit func(i int)) error {
	base := runtime.NumGoroutine()
	o.begin = time.Now()
	for i, due := range o.at {
		if w := due - time.Since(o.begin); w > 0 {
			o.peak = max(o.peak, runtime.NumGoroutine()-base)
			time.Sleep(w)
		}
		submit(i)
	}
	o.peak = max(o.peak, runtime.NumGoroutine()-base)
	err := o.wait(env.Timeout)
	o.makespan = time.Since(o.begin)
	return err
}
