package actors

import (
	"errors"
	"log/slog"

	"github.com/cmwq/cmwq/messages"
)

// tellFailed tells the queue's actor of a failure. What runs on when its queue was
// abandoned may outlast the actor: it is reported all the same, and no strategy is asked.
func (q *Queue) tellFailed(m *messages.Failed) {
	if q.flags.Load()&finished != 0 {
		q.reportLate(m)
		return
	}
	q.tell(m)
}

// reportLate reports a failure of a queue that has ended, one after the other.
func (q *Queue) reportLate(m *messages.Failed) { q.gets().late.do(func() { q.report(m) }) }

// report reports one: in the actor's turn for as long as nobody else may.
func (a *queueActor) report(m *messages.Failed) {
	if a.q.flags.Load()&finished != 0 {
		a.q.reportLate(m)
		return
	}
	a.q.report(m)
}

// report tells OnFailure or logs; a panic is logged with its stack.
func (q *Queue) report(m *messages.Failed) {
	if f := q.sys.opts.OnFailure; f != nil {
		f(q, m)
		return
	}
	attrs := []any{slog.String("queue", q.name), slog.String("worker", m.Worker), slog.Any("err", m.Err)}
	if p, ok := errors.AsType[*messages.PanicError](m.Err); ok {
		attrs = append(attrs, slog.String("stack", string(p.Stack)))
	}
	q.sys.log.Warn("work failed", attrs...)
}
