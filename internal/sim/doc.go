// Package sim runs the pool policy on a virtual machine, in virtual time.
//
// The machine has CPUs, a clock, and one worker pool. Items are scripts: they
// burn CPU, sleep and say so, or block without a word. Everything a pool's actor
// does is done here by a shell of the same shape, which asks the policy the same
// questions in the same order, so that what a scenario shows is a property of
// the policy, to the microsecond and each time alike.
//
// A CPU is strictly first come, first served: a thread keeps it until it sleeps
// or its script ends. With a quantum, a thread that has had its CPU for so long
// goes behind the others that wait. Nothing else costs time: not a turn of the
// pool, not a hand-over, not a tick; making a worker does if the scenario says.
//
// A [Scenario] can be written down as text ([Parse]) and what happened be read
// as text ([Format]), so that the same golden file can also be held against
// other executors.
package sim
