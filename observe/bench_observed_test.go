package observe_test

import (
	"context"
	"log/slog"
	"runtime"
	"testing"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe"
)

// blank is an observer that does nothing.
type blank struct{}

func (blank) Observe(cmwq.Event) {}

// BenchmarkObserved is the price of events for an item that does nothing: without
// observers; with one that wants rare kinds, and one that has everything and does nothing
// with it; and with those that are ready.
func BenchmarkObserved(b *testing.B) {
	for _, c := range []struct {
		name string
		o    cmwq.Observer
	}{
		{"none", nil},
		{"rare", observe.Only(blank{}, cmwq.EventFail, cmwq.EventCreate, cmwq.EventMayday)},
		{"end", observe.Only(blank{}, cmwq.EventEnd)},
		{"nop", blank{}},
		{"ring", observe.NewRing(10000)},
		{"trace", observe.Trace()},
		{"slog", observe.Slog(slog.New(slog.DiscardHandler), slog.LevelInfo)},
	} {
		b.Run(c.name, func(b *testing.B) {
			var opts []cmwq.Option
			if c.o != nil {
				opts = append(opts, cmwq.WithObserver(c.o))
			}
			sys, err := cmwq.New(opts...)
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = sys.Stop(context.Background()) }()
			q := made(b, sys, "bench")
			works := make([]*cmwq.Work, 1<<15)
			for i := range works {
				works[i] = cmwq.NewWork(idle)
			}
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				for q.Queue(works[i&(len(works)-1)]) != nil {
					runtime.Gosched()
				}
			}
			if err := q.Flush(context.Background()); err != nil {
				b.Fatal(err)
			}
		})
	}
}
