// Package messages is cmwq's protocol: the work item, the lease, the context
// that a work function gets, the errors, and every message between the actors
// and to them. It imports nothing of this module.
//
// Names are imperatives (Flush) or facts (Flushed). A field's comment says who
// writes it: I immutable once sent, P the pool that the item is at, W the worker
// that runs it, A anyone, atomically.
package messages
