package linearizability

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/anishathalye/porcupine"

	"github.com/cmwq/cmwq"
)

var bg = context.Background()

// history records what happens to one item. Its clock is a counter: of two
// stamps the later one was taken later.
type history struct {
	t     *testing.T
	q     *cmwq.Queue
	w     *cmwq.Work
	clock atomic.Int64
	ops   atomic.Int32

	mu    sync.Mutex
	steps []porcupine.Operation

	mine [clients]int // of each client: Disables that it has not undone

	lastEnd int64                // of the executions: the clock at the last line of the one before
	open    *porcupine.Operation // its end, whose latest moment is not known yet
}

func (h *history) now() int64 { return h.clock.Add(1) }

// op gives an operation its number; none is left after maxOps.
func (h *history) op() (int, bool) {
	n := int(h.ops.Add(1)) - 1
	return n, n < maxOps
}

// record says that steps happened, in some order, between call and now.
func (h *history) record(client int, call int64, steps ...step) {
	end := h.now()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range steps {
		h.steps = append(h.steps, porcupine.Operation{ClientId: client, Input: s, Call: call, Return: end})
	}
}

// item makes the item. Its function does what do says, between two stamps; there
// is one execution at a time, so that what it keeps needs no lock.
func (h *history) item(do func(ctx *cmwq.Context, run int)) {
	run := 0
	var in atomic.Int32
	h.w = cmwq.NewWork(func(ctx *cmwq.Context) error {
		if in.Add(1) != 1 {
			h.t.Error("two executions at once")
		}
		defer in.Add(-1)
		first := h.now()
		h.mu.Lock()
		if h.open != nil {
			h.open.Return = first
			h.steps = append(h.steps, *h.open)
		}
		h.steps = append(h.steps, porcupine.Operation{ClientId: executor, Input: step{kind: begin}, Call: h.lastEnd, Return: first})
		h.mu.Unlock()
		defer func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.lastEnd = h.now()
			h.open = &porcupine.Operation{ClientId: executor, Input: step{kind: end}, Call: h.lastEnd}
		}()
		do(ctx, run)
		run++
		return nil
	})
}

// finish ends the history when nothing happens any more.
func (h *history) finish() []porcupine.Operation {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open != nil {
		h.open.Return = h.now()
		h.steps = append(h.steps, *h.open)
		h.open = nil
	}
	return h.steps
}

const clients = 3

// executor is the client that stands for executions.
const executor = 99

// queued records the answer of Queue.
func (h *history) queued(client int, call int64, err error) {
	s := step{}
	switch {
	case err == nil:
		s.kind = accept
	case errors.Is(err, cmwq.ErrPending):
		s.kind = pending
	case errors.Is(err, cmwq.ErrDisabled):
		s.kind = disabled
	default:
		h.t.Error(err)
	}
	h.record(client, call, s)
}

// disable records a Disable, or with more a CancelWait.
func (h *history) disable(client int, f func(context.Context) (bool, error), more ...kind) {
	op, ok := h.op()
	if !ok {
		return
	}
	call := h.now()
	was, err := f(bg)
	if err != nil {
		h.t.Error(err)
	}
	steps := []step{{kind: raise, op: op}, {kind: settled, op: op, yes: was}}
	if was {
		steps = append(steps, step{kind: take, op: op})
	}
	for _, k := range more {
		steps = append(steps, step{kind: k, op: op})
	}
	h.record(client, call, steps...)
}
