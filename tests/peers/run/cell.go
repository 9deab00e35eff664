package run

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/cmwq/cmwq/tests/peers/load"
	"github.com/cmwq/cmwq/tests/peers/system"
)

// A Cell is a workload on a system, measured as often as there was time for.
type Cell struct {
	Workload load.Workload
	System   system.System
	Skipped  string // why it is not compared
	Err      error  // why it has failed: then there are no figures

	clean, disturbed [][]float64 // repetitions, each with a value a figure
}

// Clean is how many repetitions had the machine for themselves, and Disturbed how many
// had not.
func (c *Cell) Clean() int { return len(c.clean) }

// Disturbed is how many repetitions other programs have disturbed.
func (c *Cell) Disturbed() int { return len(c.disturbed) }

// OK says whether the cell has figures.
func (c *Cell) OK() bool {
	return c.Err == nil && c.Skipped == "" && len(c.clean)+len(c.disturbed) > 0
}

// enough clean repetitions make the disturbed ones count for nothing.
const enough = 3

// Figure summarizes the i-th figure.
func (c *Cell) Figure(i int) Summary {
	reps := c.clean
	if len(reps) < enough {
		reps = slices.Concat(reps, c.disturbed)
	}
	v := make([]float64, len(reps))
	for k, r := range reps {
		v[k] = r[i]
	}
	return Summarize(v)
}

// Named is Figure by its name; ok is false if there is none, or the cell has failed.
func (c *Cell) Named(name string) (s Summary, ok bool) {
	for i, f := range c.Workload.Figures {
		if f.Name == name && c.OK() {
			return c.Figure(i), true
		}
	}
	return Summary{}, false
}

// settled says whether another repetition would tell little.
func (c *Cell) settled(o Options) bool {
	if c.Err != nil || c.Skipped != "" {
		return true
	}
	n := c.Clean() + c.Disturbed()
	if c.Workload.Exact {
		return n > 0
	}
	return n >= o.Max || c.Clean() >= o.Min && c.Figure(0).Spread <= o.Spread
}

// repeat measures the cell once more.
func (c *Cell) repeat(o Options) {
	settle()
	watch := watchOthers()
	v, err := c.once(o.Env)
	switch {
	case err != nil:
		c.Err = err
	case len(v) != len(c.Workload.Figures):
		c.Err = fmt.Errorf("%d figures, %d values", len(c.Workload.Figures), len(v))
	case !o.Undisturbed && !c.Workload.Exact && watch.disturbed():
		c.disturbed = append(c.disturbed, v)
	default:
		c.clean = append(c.clean, v)
	}
}

// once runs the workload. What panics has failed, and so has what hangs: it is left
// alone then.
func (c *Cell) once(env load.Env) (v []float64, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				v, err = nil, fmt.Errorf("panic: %v", p)
			}
		}()
		v, err = c.Workload.Run(env, c.System)
	}()
	hung := time.NewTimer(3 * env.Timeout)
	defer hung.Stop()
	select {
	case <-done:
		return v, err
	case <-hung.C:
		return nil, fmt.Errorf("%w: nothing in %v", load.ErrLost, 3*env.Timeout)
	}
}

// settle lets what the last cell has left come to an end: goroutines, and garbage.
func settle() {
	runtime.GC()
	few := runtime.NumGoroutine()
	for range 20 {
		time.Sleep(2 * time.Millisecond)
		now := runtime.NumGoroutine()
		if now >= few {
			return
		}
		few = now
	}
}
