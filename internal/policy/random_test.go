package policy

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Whatever is said to a pool, in whatever order, its invariants hold after every
// step, and its shares agree with a slow and obvious model.
func TestRandomConversations(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := newRandomShell(t)
		t.Repeat(map[string]func(*rapid.T){
			"":       r.check,
			"arrive": r.arrives,
			"keyed":  r.arrivesKeyed,
			"start":  r.starts,
			"done":   r.ends,
			"blocks": func(t *rapid.T) { r.blocks(r.worker(t, isRunning)) },
			"wakes":  func(t *rapid.T) { r.wakes(r.worker(t, isAsleep)) },
			"tick":   r.ticks,
			"regain": func(*rapid.T) { r.regain() },
			"cancel": r.cancels,
			"limit":  r.limits,
			"close":  func(t *rapid.T) { r.share(t).Epoch.Close() },
			"cull":   func(*rapid.T) { r.cull() },
			"later":  r.later,
			"park":   r.parks,
			"unpark": r.unparks,
			"famine": r.famine,
			"retry":  r.retry,
			"rescue": r.rescues,
			"freeze": r.freezes,
			"down": func(t *rapid.T) {
				if r.p.Kind() == PerCPU {
					r.offline()
				}
			},
			"up":    func(*rapid.T) { r.online() },
			"width": func(t *rapid.T) { r.p.SetCPUs(rapid.IntRange(0, 4).Draw(t, "cpus")); r.turn() },
		})
		r.finishAll()
		r.check(t)
	})
}

type randomShell struct {
	*shell
	limit  map[*testShare]int                // what the model believes
	active map[*testShare]map[*testItem]bool // of a share, when it was frozen
}

func newRandomShell(t *rapid.T) *randomShell {
	kind := rapid.SampledFrom([]Kind{Managed, PerCPU, Unbound, BH, Fixed}).Draw(t, "kind")
	r := &randomShell{newShell(kind, rapid.IntRange(1, 4).Draw(t, "cpus"), 4), make(map[*testShare]int), make(map[*testShare]map[*testItem]bool)}
	for i := range rapid.IntRange(1, 3).Draw(t, "shares") {
		limit := rapid.IntRange(1, 6).Draw(t, "limit")
		s := NewShare(limit, kind != BH && rapid.IntRange(0, 4).Draw(t, "intensive") == 0)
		s.item = rapid.SampledFrom([]time.Duration{0, 5 * time.Microsecond, 30 * time.Microsecond}).Draw(t, "item")
		q := &testShare{Share: s, name: fmt.Sprintf("q%d", i)}
		r.shares, r.limit[q] = append(r.shares, q), limit
	}
	r.turn()
	return r
}
