package actors

import (
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/internal/stacks"
	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/topology"
)

// Options are what a system is started with; the zero value is the default.
type Options struct {
	Topology     *topology.Topology // nil: detected
	Scope        topology.Scope     // of managed queues' pods
	Logger       *slog.Logger       // nil: slog.Default
	Source       Source             // nil: the best of the operating system
	HogThreshold time.Duration      // 0: policy.HogThreshold; negative: off
	HogReport    int                // violations of a function before it is reported; 0: policy.HogReport; negative: never
	Watchdog     time.Duration      // without progress for so long is a stall; 0: policy.WatchdogThreshold; negative: off
	MaxWorkers   int                // of a pool; 0: messages.MaxWorkers
	OnFailure    func(*Queue, *messages.Failed)
	Observers    []messages.Observer
	detected     bool                     // the topology was: it follows GOMAXPROCS
	Supervision  actor.SupervisorStrategy // of queues whose strategy escalates; nil: protoactor's default

	OnStall func(messages.Stall) // nil: none
	OnHog   func(messages.Hog)   // nil: none

	ProfileLabels bool // the queue is a label of a worker's goroutine, too

	Monitor        bool // how long items wait and run is measured
	Pinning        bool // workers of CPUs, and those that ask for it, have threads
	RoundRobin     bool // items without a CPU go to another one each time; for debugging
	PowerEfficient bool // power-efficient queues are unbound

	IgnoreMemory bool                 // workers are made however short memory is
	Memory       func() policy.Memory // nil: the process's and the machine's
	// Profile gives those goroutines of the process that are asked for; nil:
	// stacks.Profile. For tests.
	Profile func(want func(*stacks.Group) bool) ([]stacks.Group, error)
	// CreateFault may refuse what is about to be made, for tests: what is "worker",
	// "rescuer", "pool" or "queue".
	CreateFault func(what, name string) error
}

// PortableSource gives the runtime's timers and gauges.
func PortableSource() Source { return timerSource{} }

func (o *Options) fill() error {
	if o.Topology == nil {
		t, err := topology.Detect()
		if err != nil {
			return err
		}
		o.Topology, o.detected = t, true
	}
	if o.Scope == topology.ScopeDefault {
		o.Scope = topology.ScopeCacheShard
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Source == nil {
		o.Source = DefaultSource()
	}
	switch {
	case o.HogThreshold == 0:
		o.HogThreshold = policy.HogThreshold
	case o.HogThreshold < 0:
		o.HogThreshold = 0
	}
	if o.Memory == nil && !o.IgnoreMemory {
		o.Memory = readMemory
	}
	if o.Profile == nil {
		o.Profile = stacks.Profile
	}
	if o.HogReport == 0 {
		o.HogReport = policy.HogReport
	}
	if o.Watchdog == 0 {
		o.Watchdog = policy.WatchdogThreshold
	}
	if o.MaxWorkers <= 0 || o.MaxWorkers > messages.MaxWorkers {
		o.MaxWorkers = messages.MaxWorkers
	}
	return nil
}
