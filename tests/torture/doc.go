// Package torture holds no code: its test mixes every operation on queues of
// every kind with items of every sort, for as long as it is told to, and then
// asks what became of each item that was accepted.
//
//	go test -race -tags invariants ./tests/torture -torture 60s -torture.seed 7
//
// An operation is one line in a table of ops_test.go or live_test.go, a sort of item
// one of items_test.go or waits_test.go, and a kind of queue one in kinds_test.go.
package torture
