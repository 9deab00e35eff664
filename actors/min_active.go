package actors

import (
	"context"

	"github.com/cmwq/cmwq/messages"
)

// setMinActive is SetMinActive's message.
type setMinActive struct {
	messages.Quiet
	n    int
	done chan<- error
}

// SetMinActive changes what each memory node may at least use.
// (kernel: workqueue_set_min_active)
func (q *Queue) SetMinActive(n int) error {
	switch {
	case q.opts.Kind.perCPU():
		return messages.ErrPerCPU
	case q.opts.Kind == Ordered:
		return messages.ErrOrdered
	case n < 0:
		return messages.ErrOption
	}
	if err := q.everybodys("min_active"); err != nil {
		return err
	}
	done := make(chan error, 1)
	return q.ask(context.Background(), &setMinActive{n: n, done: done}, done)
}

func (a *queueActor) setMinActive(m *setMinActive) {
	a.relimit(a.ledger().SetMin(m.n))
	reply(m.done, nil)
}
