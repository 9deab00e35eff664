package actors

import (
	"log/slog"
	"time"

	"github.com/cmwq/cmwq/messages"
)

// hog looks where a function is that holds a CPU, and tells.
func (o *lookout) hog(m *hogReport, times int) {
	h := &messages.Hog{
		At: time.Now(), Func: codeName(m.code), Queue: m.queue, Pool: m.pool, Worker: m.worker.name,
		Threshold: o.sys.opts.HogThreshold, Times: times, Advice: messages.HogAdvice, Thread: m.thread,
	}
	o.clerk.do(func() {
		_ = o.look(false)
		h.Where = o.seen[m.execution] // nil if it was not seen, or has ended
		if h.Where != nil && h.Where.Blocked() {
			h.Advice = messages.SilentAdvice
		}
		o.tell(func(missed int) { h.Missed = missed; o.tellHog(h) })
	})
}

func (o *lookout) tellHog(h *messages.Hog) {
	attrs := []any{
		slog.String("func", h.Func), slog.String("queue", h.Queue), slog.String("pool", h.Pool),
		slog.Duration("threshold", h.Threshold), slog.Int("times", h.Times),
	}
	if h.Where != nil {
		attrs = append(attrs, slog.String("where", h.Where.String()))
	}
	if h.Thread != nil {
		attrs = append(attrs, slog.String("thread", h.Thread.String()))
	}
	if h.Missed > 0 {
		attrs = append(attrs, slog.Int("missed", h.Missed))
	}
	what := "work holds a CPU for too long: "
	if h.Advice == messages.SilentAdvice {
		what = "work blocks for long and does not say so: "
	}
	o.contained("Logger", func() { o.sys.log.Warn(what+h.Advice, attrs...) })
	if f := o.sys.opts.OnHog; f != nil {
		o.contained("OnHog", func() { f(*h) })
	}
}
