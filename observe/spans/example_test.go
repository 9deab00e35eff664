package spans_test

import (
	"context"
	"fmt"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe/spans"
)

// A request queues work, and goes on; the work has a trace of its own with a link to the
// request's.
func Example() {
	recorder := tracetest.NewSpanRecorder()
	tracer := sdk.NewTracerProvider(sdk.WithSpanProcessor(recorder)).Tracer("mail")
	traces := spans.New(tracer)
	sys, err := cmwq.New(cmwq.WithObserver(traces))
	if err != nil {
		panic(err)
	}
	q, _ := sys.NewQueue("mail")
	ctx, request := tracer.Start(context.Background(), "POST /mail")
	_ = q.With(ctx).Go(func(c *cmwq.Context) error {
		_, span := tracer.Start(traces.Context(c), "smtp")
		defer span.End()
		return nil
	})
	request.End()
	_ = sys.Stop(context.Background())

	byName := map[string]sdk.ReadOnlySpan{}
	for _, s := range recorder.Ended() {
		byName[s.Name()] = s
	}
	mail, smtp := byName["mail"], byName["smtp"]
	fmt.Println("mail is linked to the request:", mail.Links()[0].SpanContext.TraceID() == request.SpanContext().TraceID())
	fmt.Println("smtp is a part of mail:", smtp.Parent().SpanID() == mail.SpanContext().SpanID())
	// Output:
	// mail is linked to the request: true
	// smtp is a part of mail: true
}
