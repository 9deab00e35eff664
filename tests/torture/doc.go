// Package torture holds no code: its test mixes every operation on queues of
// every kind with items of every sort, for as long as it is told to, and then
// asks what became of each item that was accepted.
//
//	go test -race -tags invariants ./tests/torture -torture 60s -torture.seed 7
//
// An operation is one line in a table of ops_test.go, live_test.go, or the file of
// what it is about: failing work, room and rates, groups, chains, views, messages,
// pipes, child queues, actors that run as items. A sort of item is one in
// items_test.go, waits_test.go, failing_test.go or asks_test.go, and a kind of queue
// one in kinds_test.go or kinds_more_test.go.
//
// In every other round no submitter goes away: then the books are exact.
package torture
