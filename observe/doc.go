// Package observe shows what a system does: observers that log, trace and keep events.
//
// An observer is given to cmwq.WithObserver when the system starts:
//
//	last := observe.NewRing(10000)
//	sys, err := cmwq.New(cmwq.WithObserver(
//		last,                                             // for post-mortems: last.WriteTo(os.Stderr)
//		observe.Slog(slog.Default(), slog.LevelWarn, cmwq.EventFail, cmwq.EventMayday),
//		observe.Trace(),                                  // for go tool trace
//	))
//
// Package spans, below, makes OpenTelemetry's spans.
//
// What an item pays for being observed is in the benchmark Observed: with nobody who wants
// its events, nothing that can be measured; for an observer that does nothing with all of
// them 0.25 µs, most of which is to look at the clock, and for a Ring 0.3 µs. Nothing is
// allocated, but for the queueings of a View.
package observe
