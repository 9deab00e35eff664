package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/cmwq/cmwq"
)

type requestID struct{}

// Work of a request knows what the request knows, and outlasts it.
func ExampleQueue_With() {
	sys, q := example()
	defer sys.Stop(context.Background())
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), requestID{}, "r-17"))
	q.With(ctx).Go(func(ctx *cmwq.Context) error {
		_ = ctx.Sleep(time.Millisecond)
		fmt.Println(ctx.Value(requestID{}), ctx.Err())
		return nil
	})
	cancel() // the client has its answer
	q.Flush(context.Background())
	// Output: r-17 <nil>
}

// Work that nobody waits for any more is given up, whether it waits or runs.
func ExampleFollowCancel() {
	sys, q := example()
	defer sys.Stop(context.Background())
	ctx, leave := context.WithCancelCause(context.Background())
	started := make(chan struct{})
	page := cmwq.Submit(q.With(ctx, cmwq.FollowCancel()), func(ctx *cmwq.Context) (string, error) {
		close(started)
		return "", ctx.Sleep(time.Hour)
	})
	<-started
	leave(errors.New("the client went away"))
	fmt.Println(page.Wait(context.Background()))
	fmt.Println(q.With(ctx, cmwq.FollowCancel()).Go(func(*cmwq.Context) error { return nil }))
	// Output:
	//  the client went away
	// the client went away
}

// An answer that is wanted until a deadline is not computed after it.
func ExampleFollowDeadline() {
	sys, q := example()
	defer sys.Stop(context.Background())
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	answer := cmwq.Submit(q.With(ctx, cmwq.FollowDeadline()), func(ctx *cmwq.Context) (int, error) {
		return 42, ctx.Sleep(time.Hour)
	})
	_, err := answer.Wait(context.Background())
	fmt.Println(errors.Is(err, context.DeadlineExceeded))
	// Output: true
}

// What waits for too long is not called: its answer would come too late.
func ExampleMaxWait() {
	sys, _ := cmwq.New(silent())
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("quotes", cmwq.MaxActive(1), cmwq.MaxWait(10*time.Millisecond))
	open := make(chan struct{})
	q.Go(func(ctx *cmwq.Context) error { ctx.Block(func() { <-open }); return nil })
	quote := cmwq.Submit(q, func(*cmwq.Context) (float64, error) { return 1.25, nil })

	_, err := quote.Wait(context.Background()) // at the limit, though the queue is stuck
	if late, ok := errors.AsType[*cmwq.TimeoutError](err); ok {
		fmt.Println(late.Phase, late.Limit)
	}
	st, _ := q.Stats(context.Background())
	fmt.Println("waited out:", st.WaitedOut)
	close(open)
	// Output:
	// waiting 10ms
	// waited out: 1
}

// What runs for too long is told to end, and has failed.
func ExampleMaxRun() {
	failed := make(chan error, 1)
	sys, _ := cmwq.New(cmwq.WithOnFailure(func(_ string, err error) { failed <- err }))
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("fetch", cmwq.MaxRun(10*time.Millisecond))
	q.Go(func(ctx *cmwq.Context) error {
		<-ctx.Done()
		return nil // it ended well, but too late
	})
	if late, ok := errors.AsType[*cmwq.TimeoutError](<-failed); ok {
		fmt.Println(late.Queue, late.Phase, late.Limit)
	}
	// Output: fetch running 10ms
}

// One queue, and more patience with some of its work than with other.
func ExampleWaitAtMost() {
	sys, _ := cmwq.New(silent())
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("q", cmwq.Ordered())
	hasty := q.With(context.Background(), cmwq.WaitAtMost(time.Millisecond), cmwq.RunAtMost(time.Second))
	open := make(chan struct{})
	q.Go(func(ctx *cmwq.Context) error { ctx.Block(func() { <-open }); return nil })
	first := cmwq.Submit(hasty, func(*cmwq.Context) (string, error) { return "too late", nil })
	second := cmwq.Submit(q, func(*cmwq.Context) (string, error) { return "in the end", nil })

	_, err := first.Wait(context.Background())
	fmt.Println(errors.Is(err, context.DeadlineExceeded))
	close(open)
	fmt.Println(second.Wait(context.Background()))
	// Output:
	// true
	// in the end <nil>
}

// A logger that travels has the attributes of the request, and those of the item.
func ExampleContextWithLogger() {
	sys, q := example()
	defer sys.Stop(context.Background())
	log := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey || a.Key == "worker" {
				return slog.Attr{}
			}
			return a
		},
	})).With("request", "r-17")
	ctx := cmwq.ContextWithLogger(context.Background(), log)
	q.With(ctx).Go(func(ctx *cmwq.Context) error {
		ctx.Logger().InfoContext(ctx, "stored", "bytes", 512)
		return nil
	})
	q.Flush(context.Background())
	// Output: level=INFO msg=stored request=r-17 queue=example attempt=1 bytes=512
}
