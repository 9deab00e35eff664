package messages

import (
	"fmt"
	"log/slog"
	"strconv"
	"strings"
)

// String is the event in a line, for people: its kind, and what is known of it as
// key=value. It has no time.
func (e Event) String() string {
	var b strings.Builder
	b.WriteString(e.Kind.String())
	for _, a := range e.Attrs() {
		v := a.Value.String()
		if strings.ContainsAny(v, " \"") || v != Clean(v) {
			v = strconv.Quote(v)
		}
		fmt.Fprintf(&b, " %s=%s", a.Key, v)
	}
	return b.String()
}

// Attrs are what is known of the event, but for its kind and time: for logs.
func (e *Event) Attrs() []slog.Attr {
	attrs := make([]slog.Attr, 0, 12)
	text := func(key, value string) {
		if value != "" {
			attrs = append(attrs, slog.String(key, value))
		}
	}
	text("queue", e.Queue)
	text("pool", e.Pool)
	text("worker", e.Worker)
	text("func", e.FuncName())
	if e.Item != 0 {
		text("item", e.Item.String())
	} else if e.N != 0 {
		attrs = append(attrs, slog.Int("items", e.N))
	}
	if id, ok := e.FutureID(); ok {
		text("id", id)
	}
	if e.Kind == EventQueue && e.CPU >= 0 {
		attrs = append(attrs, slog.Int("cpu", e.CPU))
	}
	if e.Attempt > 1 {
		attrs = append(attrs, slog.Int("attempt", e.Attempt))
	}
	if e.Assumed {
		attrs = append(attrs, slog.Bool("assumed", true))
	}
	if e.Kind == EventActivate || e.Kind == EventStart || e.Wait != 0 {
		attrs = append(attrs, slog.Duration("wait", e.Wait))
	}
	if e.Kind == EventEnd || e.Kind == EventWake {
		attrs = append(attrs, slog.Duration("run", e.Run))
	}
	if e.Err != nil {
		text("err", e.Err.Error())
	}
	return attrs
}
