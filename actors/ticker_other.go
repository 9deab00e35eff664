//go:build !linux

package actors

// DefaultSource gives the best source of the system for so many CPUs.
func DefaultSource(procs int) Source { return timerSource{gauges{procs}} }
