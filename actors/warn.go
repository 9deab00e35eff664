package actors

import "log/slog"

// Warn logs what befalls a queue.
func (q *Queue) Warn(msg string, err error) {
	q.sys.log.Warn(msg, slog.String("queue", q.name), slog.Any("err", err))
}
