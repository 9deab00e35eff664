package cmwq_test

import (
	"context"
	"log/slog"
	"sync"
)

// records is a slog handler that keeps what was logged.
type records struct {
	mu  sync.Mutex
	all []map[string]string
}

func (r *records) logger() *slog.Logger { return slog.New(r) }

// find gives the attributes of the records with this message, oldest first.
func (r *records) find(msg string) (found []map[string]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, x := range r.all {
		if x["msg"] == msg {
			found = append(found, x)
		}
	}
	return found
}

func (r *records) Enabled(context.Context, slog.Level) bool { return true }
func (r *records) WithAttrs([]slog.Attr) slog.Handler       { return r }
func (r *records) WithGroup(string) slog.Handler            { return r }

func (r *records) Handle(_ context.Context, rec slog.Record) error {
	m := map[string]string{"msg": rec.Message, "level": rec.Level.String()}
	rec.Attrs(func(a slog.Attr) bool { m[a.Key] = a.Value.String(); return true })
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, m)
	return nil
}
