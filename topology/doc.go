// Package topology says which CPUs a program may use and how they are grouped.
//
// A [Topology] divides its CPUs into pods, once for each [Scope]: one pod a
// CPU, a group of hardware threads, a last-level cache, a slice of such a
// cache, a memory node, or the whole machine. Every CPU is in exactly one pod
// of every scope, and the scopes nest: a CPU lies within an SMT group, that
// within a cache shard, that within a cache, and that within the system. A
// memory node holds whole caches on nearly every machine; where the hardware
// says otherwise a cache may span nodes, and its pod then has node -1.
//
// # Where topologies come from
//
//   - [Detect] describes the machine, as far as this process may use it.
//   - [Parse] reads a short text such as "numa:2 llc:2 core:6 smt:2";
//     [Topology.String] writes it.
//   - [Uniform] builds a machine whose nodes, caches and cores are all alike.
//   - [Topology.Restrict] and [Topology.Mask] keep part of another topology.
//
// # What a CPU is here
//
// CPUs are logical. A Go program's goroutines are placed by the Go scheduler,
// which knows nothing of caches, so a CPU number stands for a share of
// GOMAXPROCS rather than for a place unless threads are bound as well. This
// package binds none; it only describes.
//
// # Concurrency properties
//
// A Topology never changes after it was built, so that any number of
// goroutines may use it without locks. The package keeps no state and starts
// no goroutine.
//
// # Limits
//
// CPU numbers and node numbers run from 0 to [MaxCPUs]-1. Building a topology
// is meant to be done a few times in a program's life: it takes about a
// microsecond a CPU and scope. Asking which pod a CPU is in takes two loads.
//
// The package imports nothing else of this library.
package topology
