package simcmd

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cmwq/cmwq/internal/sim"
)

// mostIssued bounds what is under way at once, so that an experiment ends.
const mostIssued = 1 << 20

// preset gives a load known by name, on so many CPUs.
func preset(name string, cpus int) (sim.Load, bool) {
	m := sim.DefaultAffinity()
	l := sim.Load{SMT: m.SMT, Steal: m.Steal, Migrate: m.Migrate, Move: m.Move, Slice: m.Slice}
	switch name {
	case "crypt":
		l.Issuers, l.Depth, l.Turn = max(1, cpus/3), m.Depth, 100*time.Nanosecond
		l.Burst, l.Work, l.Device, l.Cold, l.Far = m.Burst, m.Crypt, m.Device, m.Cold, 2*m.Cold
	case "nop":
		l.Issuers, l.Depth, l.Pinned = cpus, 1, true
		l.Device, l.Turn = sim.ContentionThink, sim.ContentionServe
	default:
		return l, false
	}
	return l, true
}

// ParseLoad reads a load for so many CPUs: a preset, then what is different, as
// key=value.
func ParseLoad(text string, cpus int) (sim.Load, error) {
	words := strings.Fields(text)
	name := "crypt"
	if len(words) > 0 && !strings.Contains(words[0], "=") && words[0] != "pinned" {
		name, words = words[0], words[1:]
	}
	l, ok := preset(name, cpus)
	if !ok {
		return l, fmt.Errorf("no load %q: there are crypt and nop, or key=value", name)
	}
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		if err := setLoad(&l, key, value); err != nil {
			return l, fmt.Errorf("%s: %w", w, err)
		}
	}
	switch {
	case l.Issuers < 1 || l.Depth < 1 || l.Issuers > mostIssued/l.Depth:
		return l, fmt.Errorf("issuers=%d depth=%d: want 1 or more of each, and at most %d together", l.Issuers, l.Depth, mostIssued)
	case l.Burst+l.Work+l.Device+l.Turn == 0:
		return l, fmt.Errorf("a load that takes no time")
	}
	return l, nil
}

func setLoad(l *sim.Load, key, value string) (err error) {
	switch key {
	case "issuers":
		l.Issuers, err = strconv.Atoi(value)
	case "depth":
		l.Depth, err = strconv.Atoi(value)
	case "burst":
		l.Burst, err = span(value)
	case "work":
		l.Work, err = span(value)
	case "device":
		l.Device, err = span(value)
	case "turn":
		l.Turn, err = span(value)
	case "steal":
		l.Steal, err = span(value)
	case "move":
		l.Move, err = span(value)
	case "slice":
		l.Slice, err = span(value)
	case "cold":
		l.Cold, err = ratio(value, 100)
	case "far":
		l.Far, err = ratio(value, 100)
	case "migrate":
		l.Migrate, err = ratio(value, 1)
	case "smt":
		if l.SMT, err = ratio(value, 1); err == nil && l.SMT < 0.01 {
			err = fmt.Errorf("want 0.01 to 1")
		}
	case "pinned":
		l.Pinned = true
		if value != "" {
			l.Pinned, err = strconv.ParseBool(value)
		}
	default:
		err = fmt.Errorf("unknown; there are issuers, depth, burst, work, device, cold, far, turn, pinned, smt, steal, migrate, move, slice")
	}
	return err
}

func span(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > time.Minute {
		return 0, fmt.Errorf("want a time such as 54us, at most a minute")
	}
	return d, nil
}

// ratio reads 0.016 or 1.6%.
func ratio(text string, most float64) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(number, 64)
	if percent {
		x /= 100
	}
	if err != nil || !(x >= 0 && x <= most) {
		return 0, fmt.Errorf("want a number such as 0.016 or 1.6%%, at most %g", most)
	}
	return x, nil
}

// describe says a load in a line that ParseLoad reads.
func describe(l sim.Load) string {
	s := fmt.Sprintf("issuers=%d depth=%d burst=%v work=%v device=%v cold=%.4g far=%.4g turn=%v", l.Issuers, l.Depth, l.Burst, l.Work, l.Device, l.Cold, l.Far, l.Turn)
	if l.Pinned {
		s += " pinned"
	}
	return s
}
