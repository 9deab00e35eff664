package sim

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
)

// Parse reads a scenario, one line a thing. A number without a unit is in
// milliseconds; # starts a comment.
//
//	machine cpus=1 quantum=1 hog=10 create=0 busy=0 gauges=on
//	pool percpu width=1
//	queue q0 max_active=3 cpu_intensive
//	item w0 q0 at=0: burn 5, sleep 10, block 1us
//
// Whatever a line does not say has the value shown, except that there is no
// quantum, the pool is managed and as wide as the machine, and max_active is the
// default. The width is of use to managed pools only.
func Parse(text string) (Scenario, error) {
	s := Scenario{CPUs: 1, Hog: policy.HogThreshold}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if fields := strings.Fields(line); len(fields) > 0 {
			if err := s.parse(fields[0], line); err != nil {
				return s, fmt.Errorf("line %d: %w", i+1, err)
			}
		}
	}
	if s.Width == 0 {
		s.Width = s.CPUs
	}
	if s.Busy > 0 && s.Quantum == 0 {
		return s, fmt.Errorf("busy=%d needs a quantum: nothing else would ever run", s.Busy)
	}
	return s, nil
}

func (s *Scenario) parse(what, line string) error {
	head, script, _ := strings.Cut(line, ":")
	args := strings.Fields(head)[1:]
	switch what {
	case "machine":
		return each(args, s.machine)
	case "pool":
		return each(args, s.pool)
	case "queue":
		return s.queue(args)
	case "item":
		return s.item(args, script)
	}
	return fmt.Errorf("unknown %q", what)
}

func each(args []string, set func(key, value string) error) error {
	for _, a := range args {
		key, value, _ := strings.Cut(a, "=")
		if err := set(key, value); err != nil {
			return fmt.Errorf("%s: %w", a, err)
		}
	}
	return nil
}

func (s *Scenario) machine(key, value string) (err error) {
	switch key {
	case "cpus":
		s.CPUs, err = strconv.Atoi(value)
	case "busy":
		s.Busy, err = strconv.Atoi(value)
	case "quantum":
		s.Quantum, err = span(value)
	case "hog":
		s.Hog, err = span(value)
	case "create":
		s.Create, err = span(value)
	case "gauges":
		s.NoGauges = value == "off"
	default:
		err = fmt.Errorf("unknown %q", key)
	}
	return err
}

func (s *Scenario) pool(kind, value string) (err error) {
	if kind == "width" {
		s.Width, err = strconv.Atoi(value)
		return err
	}
	for _, k := range []policy.Kind{policy.Managed, policy.PerCPU, policy.Unbound} {
		if k.String() == kind {
			s.Kind = k
			return nil
		}
	}
	return fmt.Errorf("unknown kind %q", kind)
}

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
