// Package linearizability holds no code: its test records what goroutines do to
// one item at once, and what they are told, and asks porcupine whether there is
// an order of single steps that explains it all.
//
// Waiting operations are several steps: a Disable raises the depth, takes the
// item off, and ends when it does not run, each at a moment of its own between
// call and return. So are executions: one begins before its function's first
// line and after the last of the execution before it.
package linearizability
