package messages

import "time"

// SystemSnapshot is what a snapshot says of the system as a whole. Lists of CPUs are written as
// the kernel does: 0-3,8.
type SystemSnapshot struct {
	Version     string          `json:"version,omitempty"` // of cmwq, from the build info: "(devel)" if it was not a module's
	Uptime      time.Duration   `json:"uptime_ns"`         // of the system
	GOMAXPROCS  int             `json:"gomaxprocs"`
	Frozen      bool            `json:"frozen,omitempty"`
	UnboundCPUs string          `json:"unbound_cpus"`     // that serve queues which are not per-CPU
	OnlineCPUs  string          `json:"online_cpus"`      // that are up
	Scopes      []ScopeSnapshot `json:"scopes,omitempty"` // finest first; not to be changed
}

// ScopeSnapshot is one way to divide the CPUs.
type ScopeSnapshot struct {
	Name    string        `json:"name"`
	Default bool          `json:"default,omitempty"` // of queues that asked for none
	Pods    []PodSnapshot `json:"pods"`
	CPUPod  []int         `json:"cpu_pod"` // logical CPU → index in Pods, -1 for one that is not there
}

// PodSnapshot is a group of CPUs.
type PodSnapshot struct {
	CPUs string `json:"cpus"`
	Node int    `json:"node"` // memory node, -1 if it spans several
}

// Placing is where a queue's items run, and how many at once.
type Placing struct {
	Scope     string           `json:"scope,omitempty"`  // as asked for; none of a queue with a pool a CPU
	Strict    bool             `json:"strict,omitempty"` // its workers never leave their pod
	Nice      int              `json:"nice,omitempty"`
	CPUs      string           `json:"cpus,omitempty"`       // as asked for, "" for all
	Pools     []string         `json:"pools,omitempty"`      // names of those that get its items
	CPUPool   []uint16         `json:"cpu_pool,omitempty"`   // logical CPU → index in Pools, NoPool for one that is not there; left out if there is one pool. Not to be changed
	MinActive int              `json:"min_active,omitempty"` // of each memory node; 0: MaxActive is one limit for all
	Nodes     []NodeSnapshot   `json:"nodes,omitempty"`      // of a queue with MinActive
	Rescuer   *RescuerSnapshot `json:"rescuer,omitempty"`    // nil without MemReclaim
}

// NoPool stands in CPUPool for a CPU that has no pool.
const NoPool = 1<<16 - 1

// NodeSnapshot is what a queue has of a memory node.
type NodeSnapshot struct {
	Node   int `json:"node"` // -1: pools whose CPUs are of several
	Active int `json:"active"`
	Max    int `json:"max"`
}

// RescuerSnapshot is a queue's rescuer.
type RescuerSnapshot struct {
	Worker string `json:"worker"`
	CPUs   string `json:"cpus"` // that it may run on
}
