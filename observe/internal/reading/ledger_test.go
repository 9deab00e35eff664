package reading

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// A queue that was abandoned with an item that runs still may be there beside its
// successor of the same name, as when an actor is restarted. What either has counted is
// counted once.
func TestCountersOfTwoOfAName(t *testing.T) {
	old := func(total int64) cmwq.QueueSnapshot {
		return cmwq.QueueSnapshot{
			Name: "q", Flags: []string{"unbound", "draining", "destroyed"}, Stats: cmwq.Stats{Total: total},
			Wait: cmwq.Distribution{N: total, Buckets: []cmwq.Bucket{{From: 1, To: 2, N: total}}},
		}
	}
	young := func(total int64) cmwq.QueueSnapshot {
		q := old(total)
		q.Flags = []string{"unbound"}
		return q
	}
	for name, order := range map[string]func(a, b cmwq.QueueSnapshot) []cmwq.QueueSnapshot{
		"old first":   func(a, b cmwq.QueueSnapshot) []cmwq.QueueSnapshot { return []cmwq.QueueSnapshot{a, b} },
		"young first": func(a, b cmwq.QueueSnapshot) []cmwq.QueueSnapshot { return []cmwq.QueueSnapshot{b, a} },
	} {
		t.Run(name, func(t *testing.T) {
			var l ledger
			read := func(queues ...cmwq.QueueSnapshot) Queue {
				r := l.take(&cmwq.Snapshot{Queues: queues}, Each, true)
				require.Len(t, r.Queues, 1)
				return r.Queues[0]
			}
			require.EqualValues(t, 1000, read(old(1000)).Counts[Started])
			for range 3 {
				q := read(order(old(1000), young(5))...)
				require.EqualValues(t, 1005, q.Counts[Started])
				require.EqualValues(t, 1005, q.Wait.N)
				require.Equal(t, 2, q.Queues, "both are there")
			}
			require.EqualValues(t, 1007, read(young(7)).Counts[Started])
		})
	}
}
