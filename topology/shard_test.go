package topology

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestShardSizes(t *testing.T) {
	for _, tc := range []struct {
		cores int
		want  []int
	}{
		{1, []int{1}},
		{3, []int{3}},
		{8, []int{8}},
		{9, []int{9}},
		{11, []int{11}}, // 11/8 rounds to 1: "eight" is no maximum
		{12, []int{6, 6}},
		{16, []int{8, 8}},
		{19, []int{10, 9}},
		{20, []int{7, 7, 6}},
		{36, []int{8, 7, 7, 7, 7}},
		{72, []int{8, 8, 8, 8, 8, 8, 8, 8, 8}},
	} {
		// What counts is cores, not CPUs: threads change no size.
		for _, threads := range []int{1, 2, 4} {
			t.Run(fmt.Sprintf("%dx%d", tc.cores, threads), func(t *testing.T) {
				topo := uniform(t, 1, 1, tc.cores, threads)
				var got []int
				for _, pod := range topo.Pods(ScopeCacheShard) {
					got = append(got, pod.CPUs.Size()/threads)
				}
				assert.Equal(t, tc.want, got)
			})
		}
	}
}

func TestShards(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"each cache on its own", "core:12,3", []string{"0-5", "6-11", "12-14"}},
		{"no shard crosses caches", "llc:4 core:3", []string{"0-2", "3-5", "6-8", "9-11"}},
		{"distant siblings follow their leader", "node0=0-23 smt=0-11+12-23", []string{"0-5,12-17", "6-11,18-23"}},
		{"interleaved caches", "node0=0-23 llc=0-22/2 llc=1-23/2", []string{"0,2,4,6,8,10", "1,3,5,7,9,11", "12,14,16,18,20,22", "13,15,17,19,21,23"}},
		{"mixed cores: six of two threads, six of one", "node0=0-17 smt=0-10/2+1-11/2", []string{"0-11", "12-17"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.want, podTexts(parse(t, tc.text), ScopeCacheShard))
		})
	}
}

// Shards follow what is left, not what the machine has: a process that may use
// eight of 72 cores should not find them in slices of a machine it cannot see.
func TestShardsOfRestricted(t *testing.T) {
	topo := uniform(t, 1, 1, 12, 1)
	assert.Len(t, topo.Pods(ScopeCacheShard), 2)
	assert.Equal(t, []string{"0-10"}, podTexts(topo.Restrict(11), ScopeCacheShard))
}
