package linearizability

import (
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"

	"github.com/cmwq/cmwq"
)

// The model is fed what must not happen, and its nearest neighbour. Steps of one
// line happen one after the other.
func TestModel(t *testing.T) {
	t.Parallel()
	q, b, e := step{kind: accept}, step{kind: begin}, step{kind: end}
	refused, off := step{kind: pending}, step{kind: disabled}
	cancelled, idle := step{kind: cancel, yes: true}, step{kind: cancel}
	up, took, still := step{kind: raise}, step{kind: take}, step{kind: settled}
	down, enabled := step{kind: lower}, step{kind: enable}
	see, over := step{kind: look}, step{kind: flushed}
	for _, tt := range []struct {
		why   string
		fine  bool
		steps []step
	}{
		{"runs once", true, []step{q, b, e}},
		{"runs twice", false, []step{q, b, e, b, e}},
		{"runs unasked", false, []step{b}},
		{"is refused while pending", true, []step{q, refused, b, q, refused, e, b, e}},
		{"is accepted twice", false, []step{q, q}},
		{"is refused while it only runs", false, []step{q, b, refused}},
		{"runs beside itself", false, []step{q, b, q, b}},
		{"is cancelled", true, []step{q, cancelled, idle, q, b, idle, e}},
		{"is cancelled and runs", false, []step{q, cancelled, b}},
		{"is cancelled while it only runs", false, []step{q, b, cancelled}},
		{"is pending, and is said not to be", false, []step{q, idle}},
		{"is disabled", true, []step{q, up, took, off, {kind: settled, yes: true}, off, enabled, q}},
		{"is accepted though disabled", false, []step{up, still, q}},
		{"is disabled for nothing", false, []step{up, still, enabled, off}},
		{"runs after Disable", false, []step{q, up, still}},
		{"runs still after Disable", false, []step{q, b, up, still}},
		{"is taken off by nobody", false, []step{q, up, took, still}},
		{"can be queued after CancelWait", true, []step{q, b, up, e, still, down, q, b}},
		{"is off after CancelWait", false, []step{up, still, down, off}},
		{"is still disabled by another", true, []step{up, still, {kind: raise, op: 1}, {kind: settled, op: 1}, {kind: enable, left: 1}, off}},
		{"is flushed", true, []step{q, see, b, e, over}},
		{"is flushed while it waits", false, []step{q, see, over}},
		{"is flushed while it runs", false, []step{q, b, see, over}},
		{"is flushed, whatever comes later", true, []step{q, see, b, q, e, over, b}},
		{"is flushed, the pending one", false, []step{q, b, q, see, e, over}},
		{"is flushed, as it is cancelled", true, []step{q, b, e, q, see, cancelled, over}},
		{"is replaced", true, []step{q, see, {kind: replace, op: 2}, over, b, e}},
		{"is replaced when it is idle", false, []step{{kind: replace}}},
		{"is replaced, and the new one is over", false, []step{q, {kind: replace, op: 2}, see, over}},
		{"is replaced, and then disabled", true, []step{q, up, {kind: replace, op: 2}, {kind: drop, op: 2}, still, off}},
		{"is replaced, and then dropped", false, []step{q, {kind: replace, op: 2}, {kind: drop, op: 2}}},
		{"is seen as it is", true, []step{q, {kind: busy, busy: cmwq.Busy{Pending: true}}, b, {kind: busy, busy: cmwq.Busy{Running: true}}}},
		{"is seen as it is not", false, []step{q, b, {kind: busy, busy: cmwq.Busy{Pending: true, Running: true}}}},
	} {
		var ops []porcupine.Operation
		for i, s := range tt.steps {
			ops = append(ops, porcupine.Operation{Input: s, Call: int64(2 * i), Return: int64(2*i + 1)})
		}
		assert.Equal(t, tt.fine, porcupine.CheckOperations(model, ops), "it %s", tt.why)
	}
}
