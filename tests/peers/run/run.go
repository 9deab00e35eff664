// Package run measures every system with every workload, in turn and again, until the
// spread of the figures is known or the time is used up.
package run

import (
	"fmt"
	"io"
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

// Run measures. The cells come back in the order of workloads, and in each of systems.
func Run(o Options) []*Cell {
	var all []*Cell
	left, end := len(o.Workloads), time.Now().Add(o.Budget)
	for _, w := range o.Workloads {
		cells := make([]*Cell, 0, len(o.Systems))
		for _, s := range o.Systems {
			cells = append(cells, &Cell{Workload: w, System: s, Skipped: w.Skip(s)})
		}
		share := time.Until(end) / time.Duration(left)
		left--
		o.rounds(cells, time.Now().Add(share))
		all = append(all, cells...)
	}
	return all
}

// rounds measures each cell of a workload once a round, so that what the machine does
// meanwhile is much the same for all, and begins each round with another one.
func (o Options) rounds(cells []*Cell, end time.Time) {
	for round := 0; ; round++ {
		open, began := 0, time.Now()
		for k := range cells {
			c := cells[(k+round)%len(cells)]
			if c.settled(o) {
				continue
			}
			if round > 0 && time.Now().After(end) {
				return
			}
			open++
			c.repeat(o)
		}
		if open == 0 {
			return
		}
		_, _ = fmt.Fprintf(o.Progress, "%s: round %d, %d systems, %.1f s\n", cells[0].Workload.ID, round+1, open, time.Since(began).Seconds())
	}
}
