//go:build !linux

package topology

import "runtime"

// detect knows nothing of this system's caches and nodes: all CPUs are in one.
func detect(procs int) (*Topology, error) {
	return Uniform(1, 1, min(runtime.NumCPU(), procs, MaxCPUs), 1)
}
