package cmwq_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cmwq/cmwq"
)

// armedItems is how many items are armed at once: more than a cache holds, as in a server
// with a time limit for each request.
const armedItems = 100_000

// BenchmarkArmed is what an armed item costs that never becomes due: to arm, to move to
// another time, to cancel; each in another order than the one before. It tells of the best
// round: whatever else runs on the machine only adds.
func BenchmarkArmed(b *testing.B) {
	sys := start(b)
	q := queue(b, sys, "bench")
	items := make([]*cmwq.Work, armedItems)
	for i := range items {
		items[i] = cmwq.NewWork(func(*cmwq.Context) error { return nil })
	}
	r := rand.New(rand.NewPCG(9, 10))
	far := func() time.Duration { return time.Hour + time.Duration(r.Int64N(int64(time.Hour))) }
	var spent [3]time.Duration
	round := func(op int, f func(w *cmwq.Work, d time.Duration) bool) {
		r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		times := make([]time.Duration, len(items))
		for i := range times {
			times[i] = far() + time.Duration(op)*time.Hour
		}
		began := time.Now()
		for i, w := range items {
			if !f(w, times[i]) {
				b.Fatal("an item was not as it should be")
			}
		}
		if took := time.Since(began); spent[op] == 0 || took < spent[op] {
			spent[op] = took
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		round(0, func(w *cmwq.Work, d time.Duration) bool { return q.QueueAfter(d, w) == nil })
		round(1, func(w *cmwq.Work, d time.Duration) bool { was, err := q.Modify(d, w); return was && err == nil })
		round(2, func(w *cmwq.Work, _ time.Duration) bool { return w.Cancel() })
	}
	for i, what := range []string{"arm-ns", "re-arm-ns", "cancel-ns"} {
		b.ReportMetric(float64(spent[i])/armedItems, what)
	}
}
