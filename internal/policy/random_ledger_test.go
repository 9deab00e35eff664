package policy

import (
	"testing"

	"pgregory.net/rapid"
)

// A queue's ledger and its shares, with messages under way in both directions:
// together they never use more than max_active, and nobody waits for ever.
func TestRandomLedger(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := newLentQueue(rapid.IntRange(1, 8).Draw(t, "max"), rapid.IntRange(1, 5).Draw(t, "shares"))
		share := rapid.Custom(func(t *rapid.T) int { return rapid.IntRange(0, len(q.shares)-1).Draw(t, "n") })
		t.Repeat(map[string]func(*rapid.T){
			"": q.check,
			"arrive": func(t *rapid.T) {
				q.arrive(share.Draw(t, "share"), rapid.IntRange(1, 5).Draw(t, "n"))
			},
			"finish":   func(t *rapid.T) { q.finish(share.Draw(t, "share")) },
			"to queue": func(t *rapid.T) { q.deliver(share.Draw(t, "share"), true) },
			"to share": func(t *rapid.T) { q.deliver(share.Draw(t, "share"), false) },
			"add": func(*rapid.T) {
				if len(q.shares) < 8 {
					q.add()
				}
			},
			"retire": func(t *rapid.T) { q.retire(share.Draw(t, "share")) },
			"rest":   q.requireUsed,
			"max":    func(t *rapid.T) { q.setMax(rapid.IntRange(0, 8).Draw(t, "max")) },
		})
		if q.l.Max() == 0 {
			q.setMax(1)
		}
		q.requireFair(t)
		q.requireEnd(t)
	})
}
