// Package run measures every system with every workload, in turn and again, until the
// spread of the figures is known or the time is used up.
package run

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/cmwq/cmwq/tests/peers/load"
	"github.com/cmwq/cmwq/tests/peers/system"
)

// Options of a run.
type Options struct {
	Env       load.Env
	Workloads []load.Workload
	Systems   []system.System
	Budget    time.Duration // for all; each cell is measured once all the same
	Min, Max  int           // repetitions of a cell
	Spread    float64       // below which Min repetitions are enough
	Progress  io.Writer

	Undisturbed bool // nobody looks what other programs do
}

// slice is how long a workload that is soon measured is measured again in one pass.
const slice = 3 * time.Second

// Run measures until ctx ends. The cells come back in the order of workloads, and in each of systems.
//
// A pass measures all workloads, each in rounds: one, or more if they are short. Passes
// go on until all is settled or the budget is used up, so that whatever the machine
// does for a while is in one repetition of each, not in all repetitions of one.
func Run(ctx context.Context, o Options) []*Cell {
	end := time.Now().Add(o.Budget)
	loads := make([]*rounds, 0, len(o.Workloads))
	var all []*Cell
	for _, w := range o.Workloads {
		r := &rounds{}
		for _, s := range o.Systems {
			r.cells = append(r.cells, &Cell{Workload: w, System: s, Skipped: w.Skip(s)})
		}
		loads = append(loads, r)
		all = append(all, r.cells...)
	}
	for pass := 0; ; pass++ {
		open := false
		for _, r := range loads {
			if pass > 0 && time.Now().After(end) {
				return all
			}
			began := time.Now()
			r.next(ctx, o)
			for !r.settled(o) && time.Since(began) < slice && time.Now().Before(end) {
				r.next(ctx, o)
			}
			if ctx.Err() != nil {
				return all
			}
			open = open || !r.settled(o)
		}
		if !open {
			return all
		}
	}
}

// rounds are of one workload.
type rounds struct {
	cells []*Cell
	n     int // that were
}

func (r *rounds) settled(o Options) bool {
	return !slices.ContainsFunc(r.cells, func(c *Cell) bool { return !c.settled(o) })
}

// next measures each system once that is not settled, so that what the machine does
// meanwhile is much the same for all, and begins each time with another one.
func (r *rounds) next(ctx context.Context, o Options) {
	measured, began := 0, time.Now()
	for k := range r.cells {
		c := r.cells[(k+r.n)%len(r.cells)]
		if !c.settled(o) && ctx.Err() == nil {
			c.repeat(o)
			measured++
		}
	}
	r.n++
	if measured > 0 {
		_, _ = fmt.Fprintf(o.Progress, "%s: round %d, %d systems, %.1f s\n", r.cells[0].Workload.ID, r.n, measured, time.Since(began).Seconds())
	}
}
