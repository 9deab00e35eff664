package policy

import (
	"strconv"
	"strings"
)

// Memory is what is known of the process's and the machine's memory.
type Memory struct {
	Limit uint64 // of the process (GOMEMLIMIT), 0 if there is none
	// Live is what the limit counts and a garbage collection cannot free: the heap
	// that the last one marked, stacks, the runtime itself.
	Live uint64
	// Stalled is the share of the last ten seconds, in percent, in which every
	// task of the machine waited for memory (Linux: "full avg10" of
	// /proc/pressure/memory); 0 where it is not known.
	Stalled float64
}

// Thresholds of memory pressure.
const (
	// MemoryFull is how much of the limit may be live. Above it the collector runs
	// all the time, and a new worker's stack comes out of what others need.
	MemoryFull = 0.95
	// MemoryStalled is the percentage of time that the machine may wait for memory:
	// at a fifth it thrashes.
	MemoryStalled = 20.0
)

// MemoryShort says why no worker should be made now, "" if one may.
func MemoryShort(m Memory) (why string) {
	switch {
	case m.Limit > 0 && float64(m.Live) >= MemoryFull*float64(m.Limit):
		return "the Go memory limit is reached"
	case m.Stalled >= MemoryStalled:
		return "the machine waits for memory"
	}
	return ""
}

// ParseStalled reads Linux's pressure file; 0 if it says nothing.
func ParseStalled(text string) float64 {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] != "full" {
			continue
		}
		if v, ok := strings.CutPrefix(fields[1], "avg10="); ok {
			if f, err := strconv.ParseFloat(v, 64); err == nil && f >= 0 && f <= 100 {
				return f
			}
		}
	}
	return 0
}
