// Package spans makes OpenTelemetry's spans of a system's work: one for each execution,
// linked to the span of whoever queued the item.
//
//	traces := spans.New(provider.Tracer("mail"))
//	sys, err := cmwq.New(cmwq.WithObserver(traces))
//	...
//	err = q.With(ctx).Go(func(c *cmwq.Context) error { // ctx has the submitter's span
//		return store(traces.Context(c)) // what store traces is part of this execution
//	})
package spans

import (
	"context"
	"errors"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/cmwq/cmwq"
)

// Spans is an observer that makes a span of each execution. Its name is that of the queue;
// its attributes say what ran, where, at which attempt, and how long the item had waited;
// its status is the execution's error. The span is the root of a trace of its own and has
// a link to the submitter's: work that waited does not stretch the trace that queued it.
// See AsChildren.
//
// The tracer is called on the worker's goroutine, before and after the function: a few
// microseconds an item, as a rule, which only that worker waits for. Its methods are safe
// for concurrent use.
type Spans struct {
	tracer   trace.Tracer
	children bool
	open     sync.Map // running → trace.Span
}

// running names an execution: an item of two queues may run twice at once.
type running struct {
	item   cmwq.ItemID
	worker string
}

// Option changes what Spans do.
type Option func(*Spans)

// AsChildren makes the spans children of the submitter's instead: right if whoever queues
// work waits for it.
func AsChildren() Option { return func(s *Spans) { s.children = true } }

// New gives the observer. It panics if t is nil.
func New(t trace.Tracer, opts ...Option) *Spans {
	if t == nil {
		panic("cmwq: spans without a tracer")
	}
	s := &Spans{tracer: t}
	for _, set := range opts {
		set(s)
	}
	return s
}

// Kinds are those of which it makes spans.
func (*Spans) Kinds() cmwq.EventKinds { return cmwq.KindsOf(cmwq.EventStart, cmwq.EventEnd) }

// Observe begins or ends a span.
func (s *Spans) Observe(e cmwq.Event) {
	key := running{e.Item, e.Worker}
	switch e.Kind {
	case cmwq.EventStart:
		s.open.Store(key, s.start(&e))
	case cmwq.EventEnd:
		if x, ok := s.open.LoadAndDelete(key); ok {
			end(x.(trace.Span), &e)
		}
	default:
	}
}

func (s *Spans) start(e *cmwq.Event) trace.Span {
	ctx := e.Submitter
	if ctx == nil {
		ctx = context.Background()
	}
	opts := []trace.SpanStartOption{
		trace.WithTimestamp(e.At), trace.WithSpanKind(trace.SpanKindConsumer),
		trace.WithAttributes(
			attribute.String("cmwq.queue", e.Queue), attribute.String("cmwq.pool", e.Pool),
			attribute.String("cmwq.worker", e.Worker), attribute.String("code.function.name", e.FuncName()),
			attribute.Int("cmwq.attempt", e.Attempt), attribute.Float64("cmwq.wait", e.Wait.Seconds())),
	}
	if id, ok := e.FutureID(); ok {
		opts = append(opts, trace.WithAttributes(attribute.String("cmwq.id", id)))
	}
	if !s.children {
		opts = append(opts, trace.WithNewRoot())
		if from := trace.SpanContextFromContext(ctx); from.IsValid() {
			opts = append(opts, trace.WithLinks(trace.Link{SpanContext: from}))
		}
	}
	_, span := s.tracer.Start(ctx, e.Queue, opts...)
	return span
}

func end(span trace.Span, e *cmwq.Event) {
	if e.Err != nil {
		opts := []trace.EventOption{trace.WithTimestamp(e.At)}
		if p, ok := errors.AsType[*cmwq.PanicError](e.Err); ok {
			opts = append(opts, trace.WithAttributes(attribute.String("exception.stacktrace", string(p.Stack))))
		}
		span.RecordError(e.Err, opts...)
		span.SetStatus(codes.Error, e.Err.Error())
	}
	span.End(trace.WithTimestamp(e.At))
}

// Context gives the item's context with the span of its execution, for what the item
// calls that traces, and for work that it queues in turn. Without a span, as in a system
// that does not have s for an observer, it is the item's context as it is.
func (s *Spans) Context(c *cmwq.Context) context.Context {
	it, _ := c.Current()
	if it == nil {
		return c
	}
	if x, ok := s.open.Load(running{it.ID(), c.Worker()}); ok {
		return trace.ContextWithSpan(c, x.(trace.Span))
	}
	return c
}
