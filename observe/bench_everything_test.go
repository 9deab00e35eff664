package observe_test

import (
	"context"
	"log/slog"
	"net/url"
	"runtime"
	"testing"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe"
)

// BenchmarkEverythingOn is what work that does nothing costs beside a program that is not
// looked at, with everything that a program has on in production: times are measured, the
// log and a ring have each event that is rare, the watchdog runs, and somebody watches the page.
func BenchmarkEverythingOn(b *testing.B) {
	rare := []cmwq.EventKind{
		cmwq.EventFail, cmwq.EventCancel, cmwq.EventCreate, cmwq.EventCull, cmwq.EventMayday, cmwq.EventRescue,
	}
	for _, on := range []bool{false, true} {
		name := map[bool]string{false: "off", true: "on"}[on]
		open := func(b *testing.B) *cmwq.Queue {
			opts := []cmwq.Option{cmwq.WithLogger(slog.New(slog.DiscardHandler))}
			if on {
				opts = append(opts, cmwq.WithMonitor(), cmwq.WithObserver(observe.Only(observe.NewRing(10_000), rare...)),
					cmwq.WithObserver(observe.Only(observe.Slog(slog.New(slog.DiscardHandler), slog.LevelInfo), rare...)))
			}
			sys := start(b, opts...)
			if on {
				v := watch(b, listen(b, observe.Handler(sys)), url.Values{})
				go func() {
					for event, _ := v.next(); event != ""; event, _ = v.next() {
					}
				}()
			}
			return queue(b, sys, "bench")
		}
		b.Run("item/"+name, func(b *testing.B) {
			q := open(b)
			works := make([]*cmwq.Work, 1<<15)
			for i := range works {
				works[i] = cmwq.NewWork(idle)
			}
			b.ResetTimer()
			for i := range b.N {
				for q.Queue(works[i&(len(works)-1)]) != nil {
					runtime.Gosched()
				}
			}
			done(b, q)
		})
		b.Run("closure/"+name, func(b *testing.B) {
			q := open(b)
			b.ResetTimer()
			for range b.N {
				_ = q.Go(idle)
			}
			done(b, q)
		})
	}
}

// done waits for the last item.
func done(b *testing.B, q *cmwq.Queue) {
	b.Helper()
	if err := q.Flush(context.Background()); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
}
