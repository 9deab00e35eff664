package sim

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
)

func (s *Scenario) queue(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("a queue needs a name")
	}
	q := Queue{Name: args[0], MaxActive: policy.MaxActiveDefault}
	err := each(args[1:], func(key, value string) (err error) {
		switch key {
		case "max_active":
			q.MaxActive, err = strconv.Atoi(value)
		case "ordered":
			q.MaxActive = 1
		case "cpu_intensive":
			q.CPUIntensive = true
		default:
			err = fmt.Errorf("unknown %q", key)
		}
		return err
	})
	s.Queues = append(s.Queues, q)
	return err
}

func (s *Scenario) item(args []string, script string) error {
	if len(args) < 2 {
		return fmt.Errorf("an item needs a name and a queue")
	}
	it := Item{Name: args[0], Queue: -1}
	for i, q := range s.Queues {
		if q.Name == args[1] {
			it.Queue = i
		}
	}
	if it.Queue < 0 {
		return fmt.Errorf("no queue %q", args[1])
	}
	for _, a := range args[2:] {
		at, ok := strings.CutPrefix(a, "at=")
		d, err := span(at)
		if !ok || err != nil {
			return fmt.Errorf("%s: want at=TIME", a)
		}
		it.At = d
	}
	for step := range strings.SplitSeq(script, ",") {
		st, err := parseStep(step)
		if err != nil {
			return err
		}
		it.Steps = append(it.Steps, st)
	}
	s.Items = append(s.Items, it)
	return nil
}

func parseStep(text string) (st Step, err error) {
	f := strings.Fields(text)
	if len(f) != 2 {
		return st, fmt.Errorf("%q: want burn, sleep or block and a time", text)
	}
	for _, st.Do = range []Do{Burn, Sleep, Block} {
		if st.Do.String() == f[0] {
			st.For, err = span(f[1])
			return st, err
		}
	}
	return st, fmt.Errorf("unknown step %q", f[0])
}

func span(text string) (time.Duration, error) {
	if ms, err := strconv.ParseFloat(text, 64); err == nil {
		return time.Duration(ms * float64(time.Millisecond)), nil
	}
	return time.ParseDuration(text)
}
