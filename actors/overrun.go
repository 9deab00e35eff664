package actors

import (
	"log/slog"

	"github.com/cmwq/cmwq/messages"
)

// overrun tells the system's actor of an item that goes on after its deadline.
type overrun struct {
	messages.Quiet
	cause  *messages.TimeoutError
	worker string
}

// onOverrun logs it: for each function the first time, the second, the fourth, and so
// on.
func (a *systemActor) onOverrun(m *overrun) {
	n, report := a.overruns.Violation(m.cause.Code)
	if !report {
		return
	}
	a.sys.log.Warn("work goes on after its deadline: it does not heed its context",
		slog.String("func", m.cause.Func()), slog.String("queue", m.cause.Queue), slog.String("worker", m.worker),
		slog.Duration("limit", m.cause.Took), slog.Int("times", n))
}
