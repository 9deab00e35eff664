package policy

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestMaydaysAreServedInTurn(t *testing.T) {
	t.Parallel()
	var m Maydays[string]
	_, ok := m.Next()
	require.False(t, ok, "nobody calls")
	m.Call("a")
	m.Call("b")
	m.Call("a")
	h, ok := m.Next()
	require.True(t, ok)
	require.Equal(t, Help[string]{Who: "a", Others: true}, h)
	_, ok = m.Next()
	require.False(t, ok, "one at a time")

	m.Left(true, true)
	h, _ = m.Next()
	require.Equal(t, Help[string]{Who: "b", Others: true}, h, "b has its turn")
	m.Left(false, true)
	h, _ = m.Next()
	require.Equal(t, Help[string]{Who: "a", Again: true}, h, "a has more and comes next; b, which may get short again, does not")
	m.Left(false, true)
	h, _ = m.Next()
	require.Equal(t, Help[string]{Who: "a"}, h, "while nobody else calls it may stay")
	m.Left(false, false)
	_, ok = m.Next()
	require.False(t, ok)
	require.Zero(t, m.Waiting())
}

// A share that calls while the rescuer is there is one that waits, not two, and
// does not wait behind itself.
func TestMaydayOfTheOneThatIsHelped(t *testing.T) {
	t.Parallel()
	var m Maydays[string]
	m.Call("a")
	_, _ = m.Next()
	m.Call("a")
	m.Left(true, true)
	h, ok := m.Next()
	require.True(t, ok)
	require.Equal(t, Help[string]{Who: "a"}, h)
	m.Left(false, false)
	_, ok = m.Next()
	require.False(t, ok)
	m.Left(true, true) // nobody was helped
	_, ok = m.Next()
	require.False(t, ok)
}

// Whoever calls is helped, before anyone else is twice.
func TestMaydaysStarveNobody(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var m Maydays[int]
		waits := map[int]int{} // who waits, and how many were helped since
		at := -1
		t.Repeat(map[string]func(*rapid.T){
			"call": func(t *rapid.T) {
				who := rapid.IntRange(0, 4).Draw(t, "who")
				m.Call(who)
				if _, ok := waits[who]; !ok {
					waits[who] = 0
				}
			},
			"next": func(t *rapid.T) {
				h, ok := m.Next()
				require.Equal(t, at < 0 && len(waits) > 0, ok)
				if !ok {
					return
				}
				at = h.Who
				require.Contains(t, waits, at)
				delete(waits, at)
				require.Equal(t, len(waits) > 0, h.Others)
				for who := range waits {
					waits[who]++
					require.LessOrEqual(t, waits[who], 5, "%d waits while others are helped again", who)
				}
			},
			"left": func(t *rapid.T) {
				needs, may := rapid.Bool().Draw(t, "needs"), rapid.Bool().Draw(t, "may")
				m.Left(needs, may)
				if _, ok := waits[at]; at >= 0 && !ok && (needs || may && len(waits) == 0) {
					waits[at] = 0
				}
				at = -1
			},
			"": func(t *rapid.T) {
				require.Equal(t, len(waits), m.Waiting())
				require.Len(t, slices.Compact(slices.Sorted(slices.Values(m.waiting))), len(waits), "each is listed once")
				for _, who := range m.again {
					require.Contains(t, m.waiting, who)
				}
			},
		})
	})
}
