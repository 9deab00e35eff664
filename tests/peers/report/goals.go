package report

// A Goal says what a figure of cmwq should be, by a comparison.
type Goal struct {
	Workload string
	System   string // of cmwq
	Figure   string
	Than     Than
	Other    string // what it is compared with: a system, a workload or a figure, as Than says
	AtLeast  bool   // the limit is the least, not the most
	Limit    float64
	Quiet    bool // means a quiet machine: a miss on another says little
}

// Than says what a figure is compared with.
type Than int

// The limit is one of the ratio to
const (
	Best       Than = iota // the best peer's figure in the same run
	Peer                   // that of the peer Other
	Absolute               // nothing: it is one of the figure itself
	OtherLoad              // the same figure of the same system with the workload Other
	OtherScope             // the figure Other of the same cell
)

const (
	item    = "cmwq item"
	closure = "cmwq closure"
	submit  = "cmwq Submit"
)

// flat is what counts as flat: two measurements of the same differ by as much.
const flat = 1.5

// Goals are what this library is held to.
var Goals = []Goal{
	{Workload: "a", System: item, Figure: "wall", Than: Best, Limit: 1. / 3},
	{Workload: "a", System: item, Figure: "allocs", Than: Absolute, Limit: 0.01},
	{Workload: "a", System: closure, Figure: "wall", Than: Best, Limit: 1},
	{Workload: "a4", System: item, Figure: "wall", Than: Best, Limit: 1. / 2},
	{Workload: "a4", System: closure, Figure: "wall", Than: Best, Limit: 1},

	{Workload: "r", System: submit, Figure: "wall", Than: Peer, Other: "pond/v2 Submit", Limit: 1. / 3},
	{Workload: "r", System: submit, Figure: "allocs", Than: Absolute, Limit: 2},

	{Workload: "b1", System: closure, Figure: "efficiency", Than: Best, AtLeast: true, Limit: 1},
	{Workload: "b10", System: closure, Figure: "efficiency", Than: Best, AtLeast: true, Limit: 1},
	{Workload: "b100", System: closure, Figure: "efficiency", Than: Best, AtLeast: true, Limit: 1},
	{Workload: "b1", System: closure, Figure: "efficiency", Than: Absolute, AtLeast: true, Limit: 90, Quiet: true},
	{Workload: "b10", System: closure, Figure: "efficiency", Than: Absolute, AtLeast: true, Limit: 98, Quiet: true},
	{Workload: "b100", System: closure, Figure: "efficiency", Than: Absolute, AtLeast: true, Limit: 99, Quiet: true},

	{Workload: "c", System: closure, Figure: "p99", Than: Peer, Other: "go func", Limit: 1.5},
	{Workload: "c", System: closure, Figure: "goroutines", Than: Absolute, Limit: 32},
	{Workload: "c'", System: closure, Figure: "p99", Than: Peer, Other: "go func", Limit: 1.2},
	{Workload: "c+2", System: closure, Figure: "p99", Than: Peer, Other: "go func", Limit: 1},
	{Workload: "c+4", System: closure, Figure: "p99", Than: Peer, Other: "go func", Limit: 1},
	{Workload: "c'+2", System: closure, Figure: "p99", Than: Peer, Other: "go func", Limit: 1},
	{Workload: "csys", System: closure, Figure: "p99", Than: Peer, Other: "go func", Limit: 1.5},

	{Workload: "d1", System: closure, Figure: "p99", Than: Best, Limit: 1},
	{Workload: "d2", System: closure, Figure: "p99", Than: Peer, Other: "go func", Limit: 1},

	{Workload: "e", System: closure, Figure: "memory", Than: Absolute, Limit: 64},
	{Workload: "e10M", System: closure, Figure: "memory", Than: Absolute, Limit: 1},
	{Workload: "e10M", System: closure, Figure: "pause", Than: Absolute, Limit: 50},

	{Workload: "f.once", System: item, Figure: "p99", Than: Peer, Other: "time.AfterFunc", Limit: 1. / 10},
	{Workload: "f.spread", System: item, Figure: "p99", Than: Peer, Other: "time.AfterFunc", Limit: 1},
	{Workload: "f.busy", System: item, Figure: "p99", Than: Peer, Other: "time.AfterFunc", Limit: 1. / 2},
	{Workload: "f.armed", System: item, Figure: "bytes", Than: Absolute, Limit: 160},
	{Workload: "f.armed", System: item, Figure: "cancel", Than: Absolute, Limit: 200},
	{Workload: "f.armed", System: item, Figure: "re-arm", Than: Absolute, Limit: 200},

	{Workload: "l", System: item, Figure: "p50", Than: Absolute, Limit: 0.6, Quiet: true},
	{Workload: "l", System: item, Figure: "p99", Than: Absolute, Limit: 2, Quiet: true},

	{Workload: "s.items=1000000", System: closure, Figure: "wall", Than: OtherLoad, Other: "s.items=1000", Limit: flat},
	{Workload: "s.queues=1000", System: item, Figure: "wall", Than: OtherLoad, Other: "s.queues=1", Limit: flat},
	{Workload: "s.queues=1000", System: closure, Figure: "wall", Than: OtherLoad, Other: "s.queues=1", Limit: flat},
	{Workload: "s.producers=64", System: item, Figure: "wall", Than: OtherLoad, Other: "s.producers=1", Limit: flat},
	{Workload: "s.producers=64", System: closure, Figure: "wall", Than: OtherLoad, Other: "s.producers=1", Limit: flat},

	{Workload: "s.procs=16", System: item, Figure: "wall", Than: OtherLoad, Other: "s.procs=2", Limit: flat},
	{Workload: "s.procs=16", System: closure, Figure: "wall", Than: OtherLoad, Other: "s.procs=2", Limit: flat},

	{Workload: "scopes", System: item, Figure: "cache_shard", Than: OtherScope, Other: "cpu", Limit: 1},
	{Workload: "scopes", System: item, Figure: "cache_shard", Than: OtherScope, Other: "cache", AtLeast: true, Limit: 4},
	{Workload: "scopes", System: item, Figure: "system", Than: OtherScope, Other: "cache", AtLeast: true, Limit: 0.95},
}
