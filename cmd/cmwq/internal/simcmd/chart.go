package simcmd

import (
	"fmt"
	"strings"
	"time"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/monitor"
	"github.com/cmwq/cmwq/internal/sim"
)

const (
	chartWidth = 64
	nameWidth  = 12
)

// What an item does, from one event to the next.
const (
	notYet   = ' '
	noSlot   = '-'
	noWorker = '.'
	noCPU    = '+'
	runs     = '#'
	sleeps   = 'z'
)

// Chart runs a scenario and draws a line an item. Where several things happen within
// a character's time, the last one is shown.
func Chart(s sim.Scenario) string {
	t := sim.Run(s)
	step := max(t.Makespan/chartWidth, 1)
	rows := make([][]rune, len(s.Items))
	state := make([]rune, len(s.Items))
	at := func(d time.Duration) int { return int(min(d/step, chartWidth-1)) }
	for i, it := range s.Items {
		rows[i] = []rune(strings.Repeat(string(notYet), chartWidth))
		state[i] = noSlot
		fill(rows[i], at(it.At), state[i])
	}
	for _, e := range t.Events {
		switch e.Kind {
		case sim.Activate:
			state[e.Rank] = noWorker
		case sim.Kick:
			state[e.Rank] = noCPU
		case sim.Start, sim.Wake:
			state[e.Rank] = runs
		case sim.Slept, sim.Blocked:
			state[e.Rank] = sleeps
		case sim.End:
			state[e.Rank] = notYet
			fill(rows[e.Rank], int((e.At+step-1)/step), notYet) // the time in which it ends is its own
			continue
		case sim.Asleep, sim.Hog: // it goes on with what it does
			continue
		}
		fill(rows[e.Rank], at(e.At), state[e.Rank])
	}
	var b strings.Builder
	end := sim.Millis(t.Makespan) + " ms"
	fmt.Fprintf(&b, "%s |0%*s|\n", monitor.Pad("", nameWidth), chartWidth-1, end)
	for i, it := range s.Items {
		fmt.Fprintf(&b, "%s |%s|\n", monitor.Pad(it.Name, nameWidth), string(rows[i]))
	}
	fmt.Fprintf(&b, "%s  # runs or waits to run on  z sleeps or blocks  + has a worker, no CPU yet\n", monitor.Pad("", nameWidth))
	fmt.Fprintf(&b, "%s  . waits for a worker  - waits for a slot of max_active\n", monitor.Pad("", nameWidth))
	return b.String()
}

func fill(row []rune, from int, r rune) {
	for i := from; i < len(row); i++ {
		row[i] = r
	}
}
