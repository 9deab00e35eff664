package actors

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// A queue that is made while a snapshot is taken is found in a pool's answer. What it has
// counted itself is of later than that: so its pools are asked again.
func TestNumbersOfAQueueThatIsFoundLate(t *testing.T) {
	bubble(t, 1, nil, func(t *testing.T, sys *System) {
		have, err := sys.list(t.Context())
		require.NoError(t, err)
		tally := have.tally()
		q := newTestQueue(t, sys, "q", QueueOptions{})
		have, err = sys.list(t.Context())
		require.NoError(t, err)
		run := func() {
			require.NoError(t, q.Go(func(*messages.Context) error { return nil }, false))
			require.NoError(t, q.Flush(t.Context()))
			synctest.Wait()
		}
		run()
		answers, err := sys.askPools(t.Context(), have.pools)
		require.NoError(t, err)
		run()
		for _, a := range answers {
			tally.add(a)
		}
		require.NoError(t, tally.recall(t.Context()))
		for _, st := range tally.done() {
			if st.Name == "q" {
				require.EqualValues(t, 2, st.Stats.Total)
				return
			}
		}
		t.Error("it is not told of")
	})
}
