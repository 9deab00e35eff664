package spans_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe/spans"
	"github.com/cmwq/cmwq/supervisor"
)

var bg = context.Background()

// recorded runs f with a system whose executions are recorded, and gives the spans that
// have ended.
func recorded(t *testing.T, f func(sys *cmwq.System, s *spans.Spans, t trace.Tracer), opts ...spans.Option) map[string][]sdk.ReadOnlySpan {
	t.Helper()
	rec := tracetest.NewSpanRecorder()
	tracer := sdk.NewTracerProvider(sdk.WithSpanProcessor(rec)).Tracer("test")
	s := spans.New(tracer, opts...)
	sys, err := cmwq.New(cmwq.WithObserver(s), cmwq.WithLogger(slog.New(slog.DiscardHandler)))
	require.NoError(t, err)
	f(sys, s, tracer)
	require.NoError(t, sys.Stop(bg))
	require.Len(t, rec.Ended(), len(rec.Started()), "none is open")
	all := map[string][]sdk.ReadOnlySpan{}
	for _, x := range rec.Ended() {
		all[x.Name()] = append(all[x.Name()], x)
	}
	return all
}

func made(t *testing.T, sys *cmwq.System, name string, opts ...cmwq.QueueOption) *cmwq.Queue {
	t.Helper()
	q, err := sys.NewQueue(name, opts...)
	require.NoError(t, err)
	return q
}

func attributes(s sdk.ReadOnlySpan) map[string]attribute.Value {
	m := map[string]attribute.Value{}
	for _, a := range s.Attributes() {
		m[string(a.Key)] = a.Value
	}
	return m
}

// An execution is a trace of its own, linked to its submitter's; what the item traces, and
// what it queues in turn, belongs to the execution.
func TestExecutionsAreLinked(t *testing.T) {
	all := recorded(t, func(sys *cmwq.System, s *spans.Spans, tracer trace.Tracer) {
		first, second := made(t, sys, "first"), made(t, sys, "second")
		ctx, request := tracer.Start(bg, "request")
		fut := cmwq.Submit(first.With(ctx), func(c *cmwq.Context) (int, error) {
			inside := s.Context(c)
			_, x := tracer.Start(inside, "inside")
			x.End()
			time.Sleep(time.Millisecond)
			return 1, second.With(inside).Go(func(*cmwq.Context) error { return nil })
		})
		id := fut.ID()
		_, err := fut.Wait(bg)
		require.NoError(t, err)
		require.NotEmpty(t, id)
		request.End()
	})
	request, first, second, inside := all["request"][0], all["first"][0], all["second"][0], all["inside"][0]
	require.False(t, first.Parent().IsValid())
	require.Equal(t, request.SpanContext(), first.Links()[0].SpanContext)
	require.Equal(t, first.SpanContext().SpanID(), inside.Parent().SpanID())
	require.Equal(t, first.SpanContext().SpanID(), second.Links()[0].SpanContext.SpanID())
	require.Equal(t, trace.SpanKindConsumer, first.SpanKind())
	require.Equal(t, codes.Unset, first.Status().Code)
	require.GreaterOrEqual(t, first.EndTime().Sub(first.StartTime()), time.Millisecond)
	a := attributes(first)
	require.Equal(t, "first", a["cmwq.queue"].AsString())
	require.True(t, strings.HasPrefix(a["cmwq.worker"].AsString(), "kworker/"))
	require.NotEmpty(t, a["cmwq.pool"].AsString())
	require.Contains(t, a["code.function.name"].AsString(), "TestExecutionsAreLinked")
	require.EqualValues(t, 1, a["cmwq.attempt"].AsInt64())
	require.Contains(t, a, "cmwq.wait")
}

// An execution may be a child of the submitter's span; without one it is a root.
func TestExecutionsAsChildren(t *testing.T) {
	all := recorded(t, func(sys *cmwq.System, _ *spans.Spans, tracer trace.Tracer) {
		q, alone := made(t, sys, "q"), made(t, sys, "alone")
		ctx, request := tracer.Start(bg, "request")
		require.NoError(t, q.With(ctx).Go(func(*cmwq.Context) error { return nil }))
		require.NoError(t, alone.Go(func(*cmwq.Context) error { return nil }))
		request.End()
	}, spans.AsChildren())
	require.Equal(t, all["request"][0].SpanContext(), all["q"][0].Parent())
	require.Empty(t, all["q"][0].Links())
	require.False(t, all["alone"][0].Parent().IsValid())
}

// Each attempt has a span, with how it failed.
func TestFailuresHaveAStatus(t *testing.T) {
	boom := errors.New("boom")
	all := recorded(t, func(sys *cmwq.System, _ *spans.Spans, _ trace.Tracer) {
		q := made(t, sys, "again", cmwq.Supervise(supervisor.Retry(1, supervisor.Backoff{})))
		fut := cmwq.Submit(q, func(c *cmwq.Context) (int, error) {
			if c.Attempt() == 1 {
				panic(boom)
			}
			return 0, boom
		})
		_, err := fut.Wait(bg)
		require.ErrorIs(t, err, boom)
	})
	require.Len(t, all["again"], 2)
	for i, x := range all["again"] {
		require.Equal(t, codes.Error, x.Status().Code)
		require.Contains(t, x.Status().Description, "boom")
		require.EqualValues(t, i+1, attributes(x)["cmwq.attempt"].AsInt64())
		require.Len(t, x.Events(), 1)
		require.Equal(t, "exception", x.Events()[0].Name)
	}
	var keys []string
	for _, a := range all["again"][0].Events()[0].Attributes {
		keys = append(keys, string(a.Key))
	}
	require.Contains(t, keys, "exception.stacktrace", "of a panic")
}

// In a system that does not tell it, an item's context has no span of its own.
func TestContextWithoutASpan(t *testing.T) {
	require.Panics(t, func() { spans.New(nil) })
	other := spans.New(sdk.NewTracerProvider().Tracer("other"))
	recorded(t, func(sys *cmwq.System, _ *spans.Spans, _ trace.Tracer) {
		q := made(t, sys, "q")
		fut := cmwq.Submit(q, func(c *cmwq.Context) (bool, error) { return other.Context(c) == context.Context(c), nil })
		same, err := fut.Wait(bg)
		require.NoError(t, err)
		require.True(t, same)
	})
}
