// Package policy holds every decision of a worker pool and of a queue, and
// nothing else: no goroutine, no actor, no clock, no lock. The actors are thin
// shells that ask it questions and do what it answers; the simulator asks the
// same questions in virtual time.
//
// Time is always an argument: a time.Duration since the system was started.
// What the process's scheduler says (Gauges) is an argument too.
//
// The package counts items, it never sees one: the shell owns the lists and
// keeps them in the order that the counts here stand for. A pool's worklist
// holds active items; each Share keeps its inactive ones apart.
//
// A field's comment says who writes it: I immutable, P the pool's actor, Q the
// queue's actor.
package policy
