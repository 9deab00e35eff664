package actors

import (
	"log/slog"

	"github.com/cmwq/cmwq/messages"
)

// Logger is the logger of the present item: the one that travels with it, or the
// system's, and what tells its records from those of others.
func (w *worker) Logger() *slog.Logger {
	q := w.home.queue
	l := q.sys.log
	if b := w.extras; b != nil && b.carry != nil && b.carry.values != nil {
		if own, ok := b.carry.values.Value(messages.LoggerKey{}).(*slog.Logger); ok && own != nil {
			l = own
		}
	}
	attrs := []any{slog.String("queue", q.name), slog.String("worker", w.name), slog.Int("attempt", w.attempt())}
	if it := w.cur; it != nil {
		if n, ok := it.Msg().(messages.Named); ok {
			if id, ok := n.Named(); ok {
				attrs = append(attrs, slog.String("id", id))
			}
		}
	}
	return l.With(attrs...)
}

// attempt is which execution of its item the present one is: 1 at first.
func (w *worker) attempt() int {
	if w.tries == nil {
		return 1
	}
	return w.tries.Count + 1
}
