// Package childqueues kills actors at random while their child queues have work, and
// then checks the books: every item that a queue accepted ran, was cancelled, or was
// reported dropped, once.
//
// By default it is over in a moment:
//
//	go test -race ./tests/childqueues
//	go test -race -tags invariants ./tests/childqueues -children 1000 -items 200000 -v
package childqueues
