// Package short is for tests alone: what makes a suite cheap enough to be run again
// and again.
//
// Under -short a test that repeats, floods or loops does a twentieth of it. It asserts
// the same: a thousand rounds of a suite see more interleavings than one long round does.
package short

import (
	"flag"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	cmap "github.com/orcaman/concurrent-map"
)

// share is what of its repetitions a test does under -short.
const share = 20

// An actor system finds its actors in 1024 maps, and by default each of them is 32 maps
// with a lock of their own: 65 536 objects, which take milliseconds to make under the race
// detector and are looked at by every collection of garbage. The suites start thousands of
// systems, so that was half of what they cost. A package's tests get one map of each by
// importing this; benchmarks measure what users have.
func init() {
	if !slices.ContainsFunc(os.Args, func(arg string) bool { return strings.HasPrefix(arg, "-test.bench=") }) {
		cmap.SHARD_COUNT = 1
	}
}

// Rounds is how often a test that by default does something n times does it: n times, or a
// twentieth under -short, and at least once.
func Rounds(n int) int {
	if !on() {
		return n
	}
	return max(1, n/share)
}

// AtLeast is Rounds for a test that says nothing with fewer than least.
func AtLeast(least, n int) int { return min(n, max(least, Rounds(n))) }

// Some are the numbers below n, or a twentieth of them under -short, another one each time:
// the seeds or cases of a test that goes through n of them.
func Some(n int) []int {
	some := rand.Perm(n)[:Rounds(n)]
	slices.Sort(some)
	return some
}

// Cases are those of a test that goes through several, or under -short a few of them, others
// each time.
func Cases[V any](all map[string]V) map[string]V {
	some := map[string]V{}
	names := slices.Sorted(maps.Keys(all))
	for _, i := range Some(len(names)) {
		some[names[i]] = all[names[i]]
	}
	return some
}

// on is false where no flags were parsed: outside of a test.
func on() bool { return flag.Parsed() && testing.Short() }
