package cmwq_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// traced adds the trace of a record's context to the record, as logging bridges do.
type traced struct{ slog.Handler }

func (h traced) Handle(ctx context.Context, r slog.Record) error {
	if sc := trace.SpanContextFromContext(ctx); sc.IsValid() {
		r.AddAttrs(slog.String("trace", sc.TraceID().String()))
	}
	return h.Handler.Handle(ctx, r)
}

func (h traced) WithAttrs(a []slog.Attr) slog.Handler { return traced{h.Handler.WithAttrs(a)} }

// The logger of an item says where it runs; it is the submitter's if one travels with
// the item, and its handlers see the item's context, with the submitter's trace.
func TestLoggerOfAnItem(t *testing.T) {
	var own, systems bytes.Buffer
	logged := func(b *bytes.Buffer) (m map[string]any) {
		require.NoError(t, json.Unmarshal(b.Bytes(), &m))
		b.Reset()
		delete(m, "time")
		return m
	}
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "mail")
		var worker string
		log := func(c *cmwq.Context) error {
			worker = c.Worker()
			c.Logger().InfoContext(c, "sent", "to", "you")
			return nil
		}
		run := func(v queuer) {
			require.NoError(t, v.Go(log))
			require.NoError(t, q.Flush(bg))
		}
		run(q)
		got := logged(&systems)
		require.Equal(t, map[string]any{"level": "INFO", "msg": "sent", "to": "you", "queue": "mail", "worker": worker, "attempt": 1.0}, got)

		span := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1, 2}, SpanID: trace.SpanID{3}, Remote: true})
		ctx := trace.ContextWithSpanContext(bg, span)
		run(q.With(ctx))
		require.Equal(t, span.TraceID().String(), logged(&systems)["trace"])
		require.Empty(t, own.String())

		mine := slog.New(traced{slog.NewJSONHandler(&own, nil)}).With("request", 7)
		run(q.With(cmwq.ContextWithLogger(ctx, mine)).Keyed("you"))
		require.Equal(t, map[string]any{
			"level": "INFO", "msg": "sent", "to": "you", "queue": "mail", "worker": worker, "attempt": 1.0,
			"request": 7.0, "trace": span.TraceID().String(),
		}, logged(&own))
		run(q.With(cmwq.ContextWithLogger(ctx, nil)))
		require.Equal(t, "sent", logged(&systems)["msg"], "no logger is none")
		require.Empty(t, own.String())
	}, cmwq.WithLogger(slog.New(traced{slog.NewJSONHandler(&systems, nil)})))
}

// The logger knows a retry, and the ID of a future that has one.
func TestLoggerOfARetry(t *testing.T) {
	log := new(attributes)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Ordered(), cmwq.Supervise(supervisor.Retry(2, supervisor.Constant(time.Second))))
		hold, entered, open := latch()
		require.NoError(t, q.Queue(hold))
		<-entered
		f := func(c *cmwq.Context) (int, error) { c.Logger().Info("try"); return 0, errors.New("no") }
		named, nameless := cmwq.Submit(q, f), cmwq.Submit(q, f)
		id := named.ID().String()
		open <- struct{}{}
		_, _ = named.Wait(bg)
		_, _ = nameless.Wait(bg)
		var got [][2]string
		for _, a := range log.all {
			got = append(got, [2]string{a["attempt"], a["id"]})
		}
		require.ElementsMatch(t, [][2]string{{"1", id}, {"2", id}, {"3", id}, {"1", ""}, {"2", ""}, {"3", ""}}, got)
	}, cmwq.WithLogger(slog.New(log)), cmwq.WithOnFailure(func(string, error) {}))
}

// attributes is a slog handler that keeps what loggers were made with; one item logs at
// a time.
type attributes struct{ all []map[string]string }

func (*attributes) Enabled(context.Context, slog.Level) bool  { return true }
func (*attributes) Handle(context.Context, slog.Record) error { return nil }
func (a *attributes) WithGroup(string) slog.Handler           { return a }

func (a *attributes) WithAttrs(attrs []slog.Attr) slog.Handler {
	m := map[string]string{}
	for _, x := range attrs {
		m[x.Key] = x.Value.String()
	}
	a.all = append(a.all, m)
	return a
}
