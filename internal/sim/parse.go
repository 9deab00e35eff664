package sim

import (
	"fmt"
	"strconv"
	"strings"

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
		if strings.TrimSpace(line) != "" {
			err := s.parse(line)
			if err == nil {
				err = s.check()
			}
			if err != nil {
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

func (s *Scenario) parse(line string) error {
	head, script, _ := strings.Cut(line, ":")
	words := strings.Fields(head)
	if len(words) == 0 {
		return fmt.Errorf("nothing before %q", strings.TrimSpace(line))
	}
	what, args := words[0], words[1:]
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
