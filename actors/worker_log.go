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
	if b := w.bounds; b != nil && b.carry != nil && b.carry.values != nil {
		if own, ok := b.carry.values.Value(messages.LoggerKey{}).(*slog.Logger); ok && own != nil {
			l = own
		}
	}
	return l.With(slog.String("queue", q.name), slog.String("worker", w.name))
}
