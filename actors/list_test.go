package actors

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cmwq/cmwq/messages"
)

func requireList(t require.TestingT, l list, want []*messages.Item) {
	var forth, back []*messages.Item
	for it := l.first; it != nil; it = it.Next {
		forth = append(forth, it)
	}
	for it := l.last; it != nil; it = it.Prev {
		back = append(back, it)
	}
	slices.Reverse(back)
	require.Len(t, forth, len(want))
	require.Equal(t, forth, back)
	for i := range want {
		require.Same(t, want[i], forth[i])
	}
}

// TestListAgreesWithASlice does everything at random. An item that leaves the
// list keeps no neighbour: its user may keep it for ever.
func TestListAgreesWithASlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l list
		var model []*messages.Item
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				chain := items(rapid.IntRange(1, 4).Draw(t, "n"))
				for i := 1; i < len(chain); i++ {
					chain[i-1].Next, chain[i].Prev = chain[i], chain[i-1]
				}
				l.append(chain[0], chain[len(chain)-1])
				model = append(model, chain...)
			},
			"prepend": func(*rapid.T) {
				it := &messages.Item{}
				l.prepend(it)
				model = slices.Insert(model, 0, it)
			},
			"remove": func(t *rapid.T) {
				if len(model) == 0 {
					t.Skip("empty")
				}
				i := rapid.IntRange(0, len(model)-1).Draw(t, "i")
				l.remove(model[i])
				require.Nil(t, model[i].Next)
				require.Nil(t, model[i].Prev)
				model = slices.Delete(model, i, i+1)
			},
			"shift": func(t *rapid.T) {
				if len(model) == 0 {
					t.Skip("empty")
				}
				it := l.shift()
				require.Same(t, model[0], it)
				require.Nil(t, it.Next)
				require.Nil(t, it.Prev)
				model = model[1:]
			},
			"": func(t *rapid.T) { requireList(t, l, model) },
		})
	})
}
