package simcmd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/cmwq/cmwq/internal/sim"
)

var words = map[sim.EventKind]string{
	sim.Activate: "is active", sim.Kick: "gets a worker", sim.Start: "starts", sim.Wake: "wakes",
	sim.Asleep: "is taken for asleep", sim.Hog: "is found to hog", sim.Slept: "sleeps",
	sim.Blocked: "blocks without a word", sim.End: "ends",
}

// tell says what happens to an item at an instant. What goes without saying is left
// out: an item that starts has got a worker, and before that a slot.
func tell(s *sim.Scenario, item int, at time.Duration, kinds []sim.EventKind) string {
	has := func(k sim.EventKind) bool { return slices.Contains(kinds, k) }
	arrives := s.Items[item].At == at
	var said []string
	if arrives && !has(sim.Activate) {
		said = append(said, "waits for a slot")
	}
	for _, k := range kinds {
		switch {
		case k == sim.Activate && (has(sim.Kick) || has(sim.Start)):
		case k == sim.Kick && has(sim.Start):
		case k == sim.Activate && arrives:
			said = append(said, "waits for a worker")
		default:
			said = append(said, words[k])
		}
	}
	if n := len(said); n > 1 {
		return strings.Join(said[:n-1], ", ") + " and " + said[n-1]
	}
	return strings.Join(said, "")
}

// joined says who does what in one text; neighbours that do the same say it together.
func joined(names, does []string) string {
	var said []string
	for i := 0; i < len(names); {
		n := i + 1
		for n < len(names) && does[n] == does[i] {
			n++
		}
		switch who := names[i:n]; {
		case len(who) == 1:
			said = append(said, who[0]+" "+does[i])
		case len(who) > 4:
			said = append(said, fmt.Sprintf("%s … %s (%d) %s", who[0], who[len(who)-1], len(who), plural(does[i])))
		default:
			said = append(said, strings.Join(who, ", ")+" "+plural(does[i]))
		}
		i = n
	}
	return strings.Join(said, "; ")
}

var plurals = strings.NewReplacer("is ", "are ", "gets ", "get ", "waits ", "wait ", "starts", "start", "wakes", "wake",
	"sleeps", "sleep", "blocks", "block", "ends", "end")

func plural(does string) string { return plurals.Replace(does) }

// wrap breaks a text after its semicolons, where it would be too wide.
func wrap(text string, width int) (lines []string) {
	line := ""
	for part := range strings.SplitAfterSeq(text, "; ") {
		if line != "" && ansi.StringWidth(line+strings.TrimSpace(part)) > width {
			lines = append(lines, strings.TrimSpace(line))
			line = ""
		}
		line += part
	}
	return append(lines, strings.TrimSpace(line))
}
