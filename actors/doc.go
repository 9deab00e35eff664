// Package actors holds the engine: the actors of a cmwq system, their mailbox
// and dispatcher. They are thin shells around package policy: they keep the
// lists, carry the messages, and do what policy decides.
//
// Every piece of state has one writer. A field's comment says which: I immutable
// after construction, P the pool's turn, Q the queue's actor, W the worker, A
// anyone, atomically.
//
// A pool's and a delayer's turn never blocks and runs no code of a user. It may
// run on the goroutine of whoever posted the message (see mailbox).
package actors
