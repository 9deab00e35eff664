package policy

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// waitsOf makes a picture: for each node what it waits for, and how many of that it
// needs; 0, or nothing said, is all.
func waitsOf(to [][]int, need ...int) *Waits {
	g := &Waits{}
	need = append(need, make([]int, len(to))...)
	for i := range to {
		g.Node(need[i])
	}
	for i, l := range to {
		for _, j := range l {
			g.Edge(i, j)
		}
	}
	return g
}

func TestWaitsThatNeverEnd(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		to    [][]int
		need  []int
		cycle []int // of node 0
	}{
		"nothing":                      {[][]int{{}}, nil, nil},
		"itself":                       {[][]int{{0}}, nil, []int{0}},
		"one that goes on":             {[][]int{{1}, {}}, nil, nil},
		"each other":                   {[][]int{{1}, {0}}, nil, []int{0, 1}},
		"three in a ring":              {[][]int{{1}, {2}, {0}}, nil, []int{0, 1, 2}},
		"the shortest way":             {[][]int{{1, 2}, {2}, {0}}, nil, []int{0, 2}},
		"a ring of others":             {[][]int{{1}, {2}, {1}}, nil, nil},
		"a slot that will be free":     {[][]int{{1}, {0, 2}, {}}, []int{0, 1}, nil},
		"a slot that never will":       {[][]int{{1}, {0, 2}, {0}}, []int{0, 1}, []int{0, 1}},
		"a slot nobody holds":          {[][]int{{1}, {}}, []int{0, 1}, nil},
		"one of two is too few":        {[][]int{{1}, {0, 2}, {}}, []int{0, 2}, []int{0, 1}},
		"two of three will do":         {[][]int{{1}, {0, 2, 3}, {}, {}}, []int{0, 2}, nil},
		"all of two, one of which not": {[][]int{{1, 2}, {}, {0}}, nil, []int{0, 2}},
	} {
		g := waitsOf(tt.to, tt.need...)
		require.Equal(t, tt.cycle, g.Cycle(0, g.Stuck()), name)
	}
}

// The picture agrees with a slow model: let end whoever can, until nobody can any
// more; and a cycle is one of stuck nodes, each waiting for the next.
func TestRandomWaits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "nodes")
		to := make([][]int, n)
		need := make([]int, n)
		for i := range to {
			to[i] = rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 3).Draw(t, "to")
			need[i] = rapid.IntRange(0, 3).Draw(t, "need")
		}
		g := waitsOf(to, need...)
		stuck := g.Stuck()
		require.Equal(t, slowStuck(to, need), stuck)
		reach := slowReach(to, stuck)
		for i := range n {
			way := g.Cycle(i, stuck)
			require.Equal(t, reach[i][i], way != nil, "node %d", i)
			for k, v := range way {
				require.True(t, stuck[v])
				require.Contains(t, to[v], way[(k+1)%len(way)])
			}
			if way != nil {
				require.Equal(t, i, way[0])
			}
		}
	})
}

func slowStuck(to [][]int, need []int) []bool {
	stuck := make([]bool, len(to))
	for i := range stuck {
		stuck[i] = true
	}
	for again := true; again; {
		again = false
		for i := range to {
			ended := 0
			for _, j := range to[i] {
				if !stuck[j] {
					ended++
				}
			}
			goes := ended == len(to[i]) || need[i] > 0 && ended >= need[i]
			if goes && stuck[i] {
				stuck[i], again = false, true
			}
		}
	}
	return stuck
}

// slowReach says which stuck node leads to which, along stuck ones.
func slowReach(to [][]int, stuck []bool) [][]bool {
	reach := make([][]bool, len(to))
	for i := range to {
		reach[i] = make([]bool, len(to))
		for _, j := range to[i] {
			reach[i][j] = stuck[i] && stuck[j]
		}
	}
	for k := range to {
		for i := range to {
			for j := range to {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	return reach
}
