package messages_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cmwq/cmwq/messages"
)

// model is an item's state written out: what the word packs.
type model struct {
	pending, running, delayed, stop bool
	depth, worker                   int
	place, runner                   messages.Place
}

// requireReads checks that every field of the word says what the model says.
func (m model) requireReads(t require.TestingT, s messages.State) {
	got := model{
		s&messages.Pending != 0, s&messages.Running != 0, s&messages.Delayed != 0, s&messages.Stop != 0,
		s.Depth(), s.Worker(), s.Place(), s.Runner(),
	}
	require.Equal(t, m, got)
}

// places and workers are drawn from both ends of their fields and between.
func aPlace(t *rapid.T) messages.Place {
	return messages.Place(rapid.OneOf(rapid.SampledFrom([]int{1, messages.MaxPlaces - 1}), rapid.IntRange(1, messages.MaxPlaces-1)).Draw(t, "place"))
}

func aWorker(t *rapid.T) int {
	return rapid.OneOf(rapid.SampledFrom([]int{0, messages.MaxWorkers - 1}), rapid.IntRange(0, messages.MaxWorkers-1)).Draw(t, "worker")
}

// TestStateFieldsNeverBleed walks a word at random: each operation changes what
// it names and nothing else. Place and runner are apart, for an item that is
// queued while it runs is in two places.
func TestStateFieldsNeverBleed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s messages.State
		var m model
		t.Repeat(map[string]func(*rapid.T){
			"queued": func(t *rapid.T) {
				m.place = aPlace(t)
				s, m.pending, m.delayed = s.Queued(m.place), true, false
			},
			"armed": func(t *rapid.T) {
				m.place = aPlace(t)
				s, m.pending, m.delayed = s.Armed(m.place), true, true
			},
			"idle": func(*rapid.T) { s, m.pending, m.delayed = s.Idle(), false, false },
			"started": func(t *rapid.T) {
				m.runner, m.worker = aPlace(t), aWorker(t)
				runs := messages.Runs(m.runner, m.worker)
				s, m.running, m.pending, m.delayed, m.stop = s.Started(runs), true, false, false, false
				require.True(t, s.RunBy(runs))
			},
			"stop": func(t *rapid.T) {
				if !m.running {
					t.Skip("only what runs can be told to end")
				}
				s, m.stop = s|messages.Stop, true
				require.True(t, s.RunBy(messages.Runs(m.runner, m.worker)), "being told to end changes no runner")
			},
			"ended": func(*rapid.T) {
				s, m.running, m.stop, m.runner, m.worker = s.Ended(), false, false, 0, 0
			},
			"deeper": func(t *rapid.T) {
				if m.depth == messages.MaxDepth {
					t.Skip("the caller minds the bounds")
				}
				s, m.depth = s.Deeper(), m.depth+1
			},
			"shallower": func(t *rapid.T) {
				if m.depth == 0 {
					t.Skip("the caller minds the bounds")
				}
				s, m.depth = s.Shallower(), m.depth-1
			},
			"": func(t *rapid.T) { m.requireReads(t, s) },
		})
	})
}

func TestStateDepthFillsItsFieldAndNoMore(t *testing.T) {
	s := messages.State(0).Queued(messages.MaxPlaces - 1).Started(messages.Runs(messages.MaxPlaces-1, messages.MaxWorkers-1))
	full := s
	for range messages.MaxDepth {
		full = full.Deeper()
	}
	require.Equal(t, messages.MaxDepth, full.Depth())
	for range messages.MaxDepth {
		full = full.Shallower()
	}
	require.Equal(t, s, full)
}

func TestStateRunByTellsWorkersApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := messages.Runs(aPlace(t), aWorker(t)), messages.Runs(aPlace(t), aWorker(t))
		s := messages.State(0).Queued(aPlace(t)).Deeper().Started(a)
		require.Equal(t, a == b, s.RunBy(b))
		require.False(t, s.Ended().RunBy(a), "nobody runs what has ended")
	})
}

func TestStateOfARunningItemThatIsQueuedAgainKeepsBoth(t *testing.T) {
	runs := messages.Runs(5, 9)
	s := messages.State(0).Queued(5).Started(runs).Queued(7)
	require.True(t, s.RunBy(runs))
	require.Equal(t, messages.Place(7), s.Place())
	s = s.Ended()
	require.NotZero(t, s&messages.Pending, "the end of one execution leaves the next pending")
	require.Equal(t, messages.Place(7), s.Place())
}
