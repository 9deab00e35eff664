package messages_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/messages"
)

func leaseOf(n int) *messages.Lease {
	l := &messages.Lease{Items: []*messages.Item{}}
	for range n {
		l.Items = append(l.Items, &messages.Item{})
	}
	l.Grant()
	return l
}

// TestLeaseGivesEveryItemOnce takes and retracts at random: what was taken and
// what came back are the items, in order, each once.
func TestLeaseGivesEveryItemOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 10).Draw(t, "items")
		l := leaseOf(n)
		var taken, back []*messages.Item
		t.Repeat(map[string]func(*rapid.T){
			"take": func(*rapid.T) {
				if it := l.Take(); it != nil {
					taken = append(taken, it)
				}
			},
			"retract": func(*rapid.T) { back = append(back, l.Retract()...) },
			"": func(t *rapid.T) {
				got, end := l.Progress()
				require.Equal(t, len(taken), got)
				require.Equal(t, n-len(back), end)
				require.Equal(t, len(back), l.Back)
				if len(taken) == 0 {
					require.Nil(t, l.Last())
				} else {
					require.Same(t, taken[len(taken)-1], l.Last())
				}
				require.Equal(t, l.Items[:len(taken)], append([]*messages.Item{}, taken...))
			},
		})
		back = append(back, l.Retract()...)
		require.Len(t, append(taken, back...), n)
	})
}

// TestRetractingBesideTaking is the race that a linked lease loses: the worker
// takes while the pool takes back. Every item goes to exactly one of them, and
// what the pool wrote into an item that came back is not seen by the worker.
func TestRetractingBesideTaking(t *testing.T) {
	const n = 64
	rounds := short.Rounds(2000)
	l := leaseOf(n)
	for round := range rounds {
		for i, it := range l.Items {
			it.Next, it.When = nil, int64(i)
		}
		l.Grant()
		var ran []*messages.Item
		var wg sync.WaitGroup
		wg.Go(func() {
			for it := l.Take(); it != nil; it = l.Take() {
				it.Epoch++ // the item is the worker's: the race detector watches
				ran = append(ran, it)
			}
		})
		for range round % 8 {
			l.Progress()
		}
		back := l.Retract()
		for i, it := range back { // and these are the pool's: it links them
			it.Epoch++
			if i > 0 {
				back[i-1].Next = it
			}
		}
		wg.Wait()
		require.Len(t, back, n-len(ran))
		for i, it := range append(ran, back...) {
			require.EqualValues(t, i, it.When)
			require.EqualValues(t, round+1, it.Epoch, "item %d", i)
		}
	}
}

func TestLeaseStartsAnewWithEachGrant(t *testing.T) {
	l := leaseOf(2)
	require.EqualValues(t, 1, l.Seq)
	require.Zero(t, l.Started())
	l.Start(7)
	require.NotNil(t, l.Take())
	require.Len(t, l.Retract(), 1)
	require.Nil(t, l.Take(), "after a retraction the lease is what runs")
	require.Nil(t, l.Retract(), "nothing comes back twice")
	require.Nil(t, l.Take())
	taken, end := l.Progress()
	require.Equal(t, []int{1, 1}, []int{taken, end}, "a look beyond the end counts for nothing")

	l.Items = l.Items[:1]
	l.Grant()
	require.EqualValues(t, 2, l.Seq)
	require.Zero(t, l.Started())
	require.Zero(t, l.Back)
	require.Nil(t, l.Last())
	require.Same(t, l.Items[0], l.Take())
}
