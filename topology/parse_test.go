package topology

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var goodTexts = []struct {
	name, text, canonical string
	caches, nodes         []string
}{
	{"cores alone", "core:8", "numa:1 llc:1 core:8 smt:1", []string{"0-7"}, []string{"0-7"}},
	{"all levels", "numa:2 llc:2 core:6 smt:2", "", []string{"0-11", "12-23", "24-35", "36-47"}, []string{"0-23", "24-47"}},
	{"a level left out", "numa:2 smt:2", "numa:2 llc:1 core:1 smt:2", []string{"0-1", "2-3"}, []string{"0-1", "2-3"}},
	{"cache sizes", "core:3,8,11", "numa:1 llc:3 core:3,8,11 smt:1", []string{"0-2", "3-10", "11-21"}, []string{"0-21"}},
	{"cache sizes counted", "numa:2 llc:2 core:1,2", "numa:2 llc:2 core:1,2 smt:1", []string{"0", "1-2", "3", "4-5"}, []string{"0-2", "3-5"}},
	{"equal sizes are one", "core:2,2", "numa:1 llc:2 core:2 smt:1", []string{"0-1", "2-3"}, []string{"0-3"}},
	{"uneven nodes", "core:12 | core:4", "numa:1 llc:1 core:12 smt:1 | numa:1 llc:1 core:4 smt:1", []string{"0-11", "12-15"}, []string{"0-11", "12-15"}},
	{"equal parts are one", "core:4|core:4", "numa:2 llc:1 core:4 smt:1", []string{"0-3", "4-7"}, []string{"0-3", "4-7"}},
	{"blanks", "\n core:2\t smt:1\r\n", "numa:1 llc:1 core:2 smt:1", []string{"0-1"}, []string{"0-1"}},
	{"a hole", "node0=0-2,6-8", "", []string{"0-2,6-8"}, []string{"0-2,6-8"}},
	{"listed but countable", "node0=0-3 smt=0,2+1,3", "numa:1 llc:1 core:2 smt:2", []string{"0-3"}, []string{"0-3"}},
	{"threads last", "node0=0-3,8-11 node1=4-7,12-15 smt=0-7+8-15", "", []string{"0-3,8-11", "4-7,12-15"}, []string{"0-3,8-11", "4-7,12-15"}},
	{"steps", "node0=0-12/4 node1=2-14/4", "node0=0-12/4 node1=2-14/4", []string{"0,4,8,12", "2,6,10,14"}, []string{"0,4,8,12", "2,6,10,14"}},
	{"any order of words", "llc=2-3 smt=0+1 llc=0,1 node7=0-3", "node7=0-3 llc=0-1 llc=2-3 smt=0+1", []string{"0-1", "2-3"}, []string{"0-3"}},
	{"a cache that spans nodes", "node0=0-3 node1=4-7 llc=0-7", "", []string{"0-7"}, []string{"0-3", "4-7"}},
	{"some threads", "node0=0-11 smt=0-6/2+1-7/2", "", []string{"0-11"}, []string{"0-11"}},
	{"crossed threads", "node0=0-5 smt=0,1+5,4", "node0=0-5 smt=0-1+5,4", []string{"0-5"}, []string{"0-5"}},
	{"the largest", "core:8192", "numa:1 llc:1 core:8192 smt:1", []string{"0-8191"}, []string{"0-8191"}},
}

func TestParse(t *testing.T) {
	for _, tc := range goodTexts {
		t.Run(tc.name, func(t *testing.T) {
			topo := parse(t, tc.text)
			assert.Equal(t, tc.caches, podTexts(topo, ScopeCache))
			assert.Equal(t, tc.nodes, podTexts(topo, ScopeNUMA))
			if tc.canonical == "" {
				tc.canonical = tc.text
			}
			assert.Equal(t, tc.canonical, topo.String())
		})
	}
}

var badTexts = []struct {
	text, reason string
	offset       int
}{
	{"", "want numa:, llc:, core: or smt:", 0},
	{"  ", "want numa:", 2},
	{"numa", "want numa:", 0},
	{"8", "want numa:", 0},
	{"core:", "want a number", 5},
	{"core:-1", "want a number", 5},
	{"core:0", "from 1 to 8192", 5},
	{"core:8193", "from 1 to 8192", 5},
	{"core:99999999999999999999999", "from 1 to 8192", 5},
	{"core:4x", "unexpected text", 6},
	{"core:4,", "want a number", 7},
	{"smt:2,2", "unexpected text", 5},
	{"core:4 numa:2", "in this order", 7},
	{"core:4 core:4", "in this order", 7},
	{"core:4 |", "want numa:", 8},
	{"llc:3 core:4,4", "2 sizes for 3 caches", 13},
	{"numa:64 llc:64 core:64", "more than 8192 CPUs", 0},
	{"core:8192 | core:1", "more than 8192 CPUs", 11},
	{"numa:8192 llc:8192 core:8192 smt:8192", "more than 8192 CPUs", 0},
	{"node=0", "want a number", 4},
	{"node0:0 llc=0", "want =", 5},
	{"node0=", "want a number", 6},
	{"node0=8192", "from 0 to 8191", 6},
	{"node0=3-1", "from 3 to 8191", 8},
	{"node0=0-3/0", "from 1 to 8191", 10},
	{"node0=0-3 x=1", "want node, llc= or smt=", 10},
	{"node0=0-3;", "unexpected text", 9},
	{"node0=0-1+2-3", "a node has one list", 0},
	{"node0=0 node0=1", "node0 twice", 8},
	{"node0=0-3 node1=3", "CPU 3 is in a node already", 10},
	{"node0=0,0", "CPU 0 is in a node already", 0},
	{"llc=0-3", "no node", 7},
	{"node0=0-3 llc=0-4", "CPU 4 is in no node", 10},
	{"node0=0-3 llc=0+1", "a cache has one list", 10},
	{"node0=0-3 llc=0-2 llc=2-3", "CPU 2 is in a cache already", 18},
	{"node0=0-3 llc=0-2", "1 CPUs are in no cache", 17},
	{"node0=0-3 smt=0-1", "want two lists", 10},
	{"node0=0-3 smt=0-1+2", "lists of 2 and 1", 10},
	{"node0=0-3 smt=0+9", "CPU 9 is in no node", 10},
	{"node0=0-3 smt=9+0", "CPU 9 is in no node", 10},
	{"node0=0-3 smt=0+0", "CPU 0 is in a core already", 10},
	{"node0=0-1 node1=2-3 smt=1+2", "share a core but no cache", 20},
	{"node0=" + strings.Repeat("0-8191,", 100) + "1", "listed too often", 27},
}

func TestParseErrors(t *testing.T) {
	for _, tc := range badTexts {
		_, err := Parse(tc.text)
		var parseErr *ParseError
		require.ErrorAs(t, err, &parseErr, "%.40q", tc.text)
		assert.Contains(t, parseErr.Reason, tc.reason, "%.40q", tc.text)
		assert.Equal(t, tc.offset, parseErr.Offset, "%.40q: %v", tc.text, err)
		assert.Equal(t, tc.text, parseErr.Text)
		assert.Less(t, len(err.Error()), 200, "long texts are shortened")
	}
}

// A machine whose first core has thousands of threads, and which has thousands
// of other cores, must not make String try a machine of that many such cores.
func TestStringOfLopsidedMachineIsCheap(t *testing.T) {
	units := make([]unit, MaxCPUs)
	for i := range units {
		units[i] = unit{cpu: i, core: max(0, i-MaxCPUs/2)}
	}
	topo := build(units)
	_, ok := topo.counted()
	assert.False(t, ok)
	assert.Less(t, testing.AllocsPerRun(1, func() { topo.counted() }), 20.0)
}

func FuzzParse(f *testing.F) {
	for _, tc := range goodTexts {
		f.Add(tc.text)
	}
	for _, tc := range badTexts {
		f.Add(tc.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		topo, err := Parse(text)
		if err != nil {
			var parseErr *ParseError
			require.ErrorAs(t, err, &parseErr)
			require.LessOrEqual(t, parseErr.Offset, len(text))
			return
		}
		again, err := Parse(topo.String())
		require.NoError(t, err)
		require.Equal(t, topo.units, again.units)
		require.Equal(t, topo.String(), again.String())
	})
}
