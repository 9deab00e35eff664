// Package observe shows what a system does: a page for people, and observers that log,
// trace and keep events.
//
// A handler serves the page, dumps, the monitor and more, to this machine alone unless it
// is told otherwise:
//
//	http.Handle("/debug/cmwq/", observe.Handler(sys))
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
// Of the handler, handler*.go are routes, options, who may ask (handler_guard.go) and what
// is served as the system writes it. http_sample.go and http_sampler.go take samples for
// all who look; http_alerts.go, http_finds.go and http_words.go say what is wrong in plain
// sentences; http_frame.go, http_rows.go and http_detail.go make the events that
// http_events.go sends; http_control.go changes queues. page/ is what the browser gets.
//
// What an item pays for being observed is in the benchmark Observed: with nobody who wants
// its events, nothing that can be measured; for an observer that does nothing with all of
// them 0.25 µs, most of which is to look at the clock, and for a Ring 0.3 µs. Nothing is
// allocated, but for the queueings of a View.
package observe
