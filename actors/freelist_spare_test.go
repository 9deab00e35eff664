//go:build !race && !invariants

package actors

// The race detector has sync.Pool forget at random.

import (
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// backlog takes n items, and then gives all back as workers do.
func (f *freelist) backlog(n int) (made int) {
	var out []*messages.Item
	for range n {
		it := f.get()
		if it.When == 0 {
			made++
		}
		it.When = 1 // seen
		out = append(out, it)
	}
	var used chain
	for _, it := range out {
		if used.add(it); used.n == 256 {
			f.give(&used)
		}
	}
	f.give(&used)
	return made
}

// collect has the garbage collector run through, and through what sync.Pool keeps.
func collect() {
	for range 3 {
		runtime.GC()
	}
}

func TestFreelistKeepsWhatABacklogNeeded(t *testing.T) {
	collect()
	var f freelist
	const n = 100 * freeMax
	require.Greater(t, f.backlog(n), n-2*freeMax)
	made := 0
	for range 10 {
		made += f.backlog(n)
		runtime.GC() // one cycle a backlog: what each used, the next finds
	}
	// Each CPU may keep one spare that the others do not see.
	require.LessOrEqual(t, made, 10*freeMax*(2+runtime.GOMAXPROCS(0)))
}

func TestFreelistLetsGoAfterABurst(t *testing.T) {
	var f freelist
	const n = 100 * freeMax
	var all []weak.Pointer[messages.Item]
	func() {
		var out []*messages.Item
		for range n {
			it := f.get()
			out = append(out, it)
			all = append(all, weak.Make(it))
		}
		var used chain
		for _, it := range out {
			if used.add(it); used.n == 256 {
				f.give(&used)
			}
		}
		f.give(&used)
	}()
	collect()
	alive := 0
	for _, w := range all {
		if w.Value() != nil {
			alive++
		}
	}
	require.Greater(t, alive, 0, "the list itself stays")
	require.LessOrEqual(t, alive, freeMax+2*largeItems)
	runtime.KeepAlive(&f)
}

// A little work costs little memory, and much has no waste.
func TestFreelistSlabsGrowWithABacklog(t *testing.T) {
	bytes := func(n int) float64 {
		var before, after runtime.MemStats
		var f freelist
		out := make([]*messages.Item, n)
		collect()
		runtime.ReadMemStats(&before)
		for i := range out {
			out[i] = f.get()
		}
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(out)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	require.Less(t, bytes(1), 10_000.)
	require.Less(t, bytes(1_000_000)/1_000_000, 64.5)
}
