package actors

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/messages"
)

// requireHeap checks the order and that every item knows its index.
func requireHeap(t require.TestingT, h heap) {
	for i, x := range h {
		if x.it != nil {
			require.EqualValues(t, i, x.it.Epoch, "an item does not know where it is")
			require.Equal(t, x.when, x.it.When)
		}
		if i > 0 {
			require.LessOrEqual(t, h[(i-1)/4].when, x.when)
		}
	}
	if cap(h) > len(h) {
		require.Zero(t, h[:len(h)+1][len(h)], "what was removed is not kept")
	}
}

// TestHeapAgreesWithASortedSlice pushes, removes and moves at random, equal times
// among them.
func TestHeapAgreesWithASortedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h heap
		var model []*messages.Item
		struck := 0
		one := func(t *rapid.T) *messages.Item {
			if len(model) == 0 {
				t.Skip("empty")
			}
			return rapid.SampledFrom(model).Draw(t, "item")
		}
		forget := func(it *messages.Item) {
			model = slices.DeleteFunc(model, func(x *messages.Item) bool { return x == it })
		}
		when := rapid.Int64Range(-5, 20)
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				it := &messages.Item{When: when.Draw(t, "when")}
				h.push(it)
				model = append(model, it)
			},
			"remove": func(t *rapid.T) {
				it := one(t)
				require.Same(t, it, h.remove(int(it.Epoch)))
				forget(it)
			},
			"fix": func(t *rapid.T) {
				it := one(t)
				it.When = when.Draw(t, "when")
				h.fix(int(it.Epoch), it.When)
			},
			"strike": func(t *rapid.T) {
				it := one(t)
				require.Same(t, it, h.strike(int(it.Epoch)))
				forget(it)
				struck++
			},
			"sweep": func(*rapid.T) {
				h.sweep()
				struck = 0
			},
			"due": func(t *rapid.T) {
				if len(model) == 0 {
					t.Skip("empty")
				}
				for h[0].it == nil {
					h.remove(0)
					struck--
				}
				least := slices.MinFunc(model, func(a, b *messages.Item) int { return int(a.When - b.When) })
				it := h.remove(0)
				require.Equal(t, least.When, it.When)
				forget(it)
			},
			"": func(t *rapid.T) {
				require.Len(t, h, len(model)+struck)
				requireHeap(t, h)
			},
		})
		h.sweep()
		requireHeap(t, h)
		var times []int64
		for len(h) > 0 {
			times = append(times, h.remove(0).When)
		}
		require.True(t, slices.IsSorted(times))
		require.Len(t, times, len(model))
	})
}

// What a burst of timers needed is given back, and a timer more or less at any size
// does not copy all others again and again.
func TestHeapFitsWhatIsArmed(t *testing.T) {
	var h heap
	n := short.AtLeast(20_000, 100_000)
	copied, size := 0, 0
	seen := func() {
		if cap(h) != size {
			copied, size = copied+len(h), cap(h)
		}
	}
	for i := range n {
		h.push(&messages.Item{When: int64(i % 1000)})
		seen()
	}
	require.Less(t, size, 2*n)
	require.Less(t, copied, 2*n)
	for range 10_000 { // at the edge
		h.remove(len(h) - 1)
		h.push(&messages.Item{})
		seen()
	}
	require.Less(t, copied, 2*n)
	for len(h) > 1 {
		h.remove(0)
		seen()
	}
	require.Less(t, copied, 3*n)
	require.LessOrEqual(t, cap(h), heapMin)
}
