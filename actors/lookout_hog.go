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
		Threshold: o.sys.opts.HogThreshold, Times: times, Thread: m.thread,
	}
	o.clerk.do(func() {
		_ = o.look(false)
		h.Where = o.seen[m.execution] // nil if it was not seen, or has ended
		h.Advice = advice(h)
		o.recent.add(*h)
		o.tell(func(missed int) { h.Missed = missed; o.tellHog(h) })
	})
}

// advice is by what was seen. The clock of a pinned worker's thread moves on only where
// something computes, so there nothing has to be seen.
func advice(h *messages.Hog) string {
	switch {
	case h.Where != nil && h.Where.Blocked():
		return messages.SilentAdvice
	case h.Where != nil || h.Thread != nil:
		return messages.HogAdvice
	}
	return messages.UnseenAdvice
}

var verdicts = map[string]string{
	messages.HogAdvice:    "work holds a CPU for too long: ",
	messages.SilentAdvice: "work blocks for long and does not say so: ",
	messages.UnseenAdvice: "work holds a CPU for too long, or blocks and does not say so: ",
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
	o.contained("Logger", func() { o.sys.log.Warn(verdicts[h.Advice]+h.Advice, attrs...) })
	if f := o.sys.opts.OnHog; f != nil {
		o.contained("OnHog", func() { f(*h) })
	}
}
