package sim

import (
	"time"

	"github.com/cmwq/cmwq/internal/policy"
)

// Scenario is a machine, a pool, its queues, and the items that arrive.
type Scenario struct {
	CPUs     int           // CPUs of the machine
	Width    int           // of them, in the pool's pod
	Quantum  time.Duration // round robin after so long; 0: first come, first served
	Hog      time.Duration // CPU-hog threshold; 0: off
	Create   time.Duration // what it takes to make a worker
	Busy     int           // threads beside the pool that burn without end
	NoGauges bool          // the scheduler's numbers are not to be had

	Kind   policy.Kind
	Queues []Queue
	Items  []Item // rank is the index
}

// Queue is one queue, whose only share is in the scenario's pool.
type Queue struct {
	Name         string
	MaxActive    int
	CPUIntensive bool
}

// Item is a work item: it arrives and, when it executes, follows its script.
type Item struct {
	Name  string
	Queue int           // index
	At    time.Duration // arrival
	Steps []Step
}

// Step is one line of an item's script.
type Step struct {
	Do  Do
	For time.Duration
}

// Do is what an item does in a step.
type Do uint8

const (
	// Burn needs a CPU.
	Burn Do = iota
	// Sleep needs none, and the worker says so before and after.
	Sleep
	// Block needs none, and nobody says so.
	Block
)

func (d Do) String() string {
	switch d {
	case Burn:
		return "burn"
	case Sleep:
		return "sleep"
	case Block:
		return "block"
	}
	return "do?"
}

// Burned is the CPU time that all items take together.
func (s *Scenario) Burned() (d time.Duration) {
	for _, it := range s.Items {
		for _, st := range it.Steps {
			if st.Do == Burn {
				d += st.For
			}
		}
	}
	return d
}

// horizon is the time after which a scenario that is not over never will be.
func (s *Scenario) horizon() time.Duration {
	h := 10 * time.Second
	for _, it := range s.Items {
		h += it.At
		for _, st := range it.Steps {
			h += st.For * time.Duration(1+s.Busy)
		}
	}
	return h + s.Create*time.Duration(len(s.Items)+1)
}
