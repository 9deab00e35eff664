package actors

import (
	"log/slog"

	"github.com/cmwq/cmwq/messages"
)

// leaked ends the declared sleeps that an item left open: a goroutine that it
// started is in one, and it did not wait for it. The next item of the worker would
// else count as asleep for ever. f is the function, nil if it did not return.
//
// It is what can be seen here of the kernel's check for locks and atomic sections
// that outlive their item: Go does not tell who holds a sync.Mutex, nor whether a
// goroutine is locked to its thread.
func (w *worker) leaked(f func(*messages.Context) error) {
	name := "unknown: it did not return"
	if f != nil {
		name = codeName(messages.CodeOf(f))
	}
	q := w.home.queue
	q.sys.log.Error("an item left a declared sleep open: one of its goroutines is in it",
		slog.String("func", name), slog.Int("open", w.deep), slog.String("queue", q.name), slog.String("worker", w.name))
	w.deep = 0
	w.speak()
	w.slept += w.pool.sys.now() - w.since
	w.say(phaseRunning)
}
