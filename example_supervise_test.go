package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

var errBusyServer = errors.New("the server is busy")

// Work that fails is tried again, later each time.
func ExampleSupervise() {
	ctx := context.Background()
	sys, _ := cmwq.New()
	defer sys.Stop(ctx)
	q, _ := sys.NewQueue("uploads", cmwq.Supervise(
		supervisor.Retry(5, supervisor.Exponential(time.Millisecond, time.Second))))
	upload := cmwq.Submit(q, func(ctx *cmwq.Context) (string, error) {
		fmt.Println("attempt", ctx.Attempt(), "after", ctx.LastError())
		if ctx.Attempt() < 3 {
			return "", errBusyServer
		}
		return "uploaded", nil
	})
	fmt.Println(upload.Wait(ctx)) // the last attempt is over
	st, _ := q.Stats(ctx)
	fmt.Println(st.Total, "executions,", st.Retried, "retried,", st.Failed, "failed")
	// Output:
	// attempt 1 after <nil>
	// attempt 2 after the server is busy
	// attempt 3 after the server is busy
	// uploaded <nil>
	// 3 executions, 2 retried, 0 failed
}

// An error may know better than the back-off, or that there is no hope.
func ExampleRetryAfter() {
	ctx := context.Background()
	sys, _ := cmwq.New()
	defer sys.Stop(ctx)
	q, _ := sys.NewQueue("q", cmwq.Supervise(supervisor.Retry(-1, supervisor.Constant(time.Hour))))
	fetch := cmwq.Submit(q, func(ctx *cmwq.Context) (int, error) {
		if ctx.Attempt() == 1 {
			return 0, cmwq.RetryAfter(time.Millisecond, errBusyServer)
		}
		return 0, cmwq.Permanent(errors.New("no such page"))
	})
	_, err := fetch.Wait(ctx)
	fmt.Println(err)
	// Output: no such page
}

// What fails for good is kept, to be looked at and queued anew.
func ExampleQueue_DeadLetters() {
	ctx := context.Background()
	sys, _ := cmwq.New()
	defer sys.Stop(ctx)
	q, _ := sys.NewQueue("mails", cmwq.Supervise(
		supervisor.Retry(1, supervisor.Backoff{}).Then(supervisor.DeadLetter(1000))))
	down := true
	mail := cmwq.NewWork(func(*cmwq.Context) error {
		if down {
			return errBusyServer
		}
		fmt.Println("sent")
		return nil
	})
	q.Queue(mail)
	for len(dead(q)) == 0 {
		time.Sleep(time.Millisecond)
	}
	for _, l := range dead(q) {
		fmt.Println(l.ID, l.Queue, l.Attempts, l.Err)
	}
	down = false
	n, err := q.Requeue(1)
	mail.Flush(ctx)
	fmt.Println(n, err, len(dead(q)))
	// Output:
	// 1 mails 2 the server is busy
	// sent
	// 1 <nil> 0
}

func dead(q *cmwq.Queue) []cmwq.DeadLetter {
	letters, _ := q.DeadLetters(context.Background())
	return letters
}

// Dead letters that nobody wants are forgotten.
func ExampleQueue_Discard() {
	ctx := context.Background()
	sys, _ := cmwq.New()
	defer sys.Stop(ctx)
	q, _ := sys.NewQueue("q", cmwq.Supervise(supervisor.DeadLetter(10)))
	fut := cmwq.Submit(q, func(*cmwq.Context) (int, error) { return 0, errBusyServer })
	_, err := fut.Wait(ctx)
	fmt.Println(err)
	q.Flush(ctx)
	fmt.Println(q.Discard())
	// Output:
	// the server is busy
	// 1 <nil>
}

// A queue that fails too often asks its parent, which may stop it: here the system,
// by the strategy that it was started with.
func ExampleWithSupervision() {
	ctx := context.Background()
	parent := actor.NewOneForOneStrategy(0, 0, func(reason any) actor.Directive {
		fmt.Println(reason)
		return actor.ResumeDirective
	})
	sys, _ := cmwq.New(cmwq.WithSupervision(parent), cmwq.WithLogger(slog.New(slog.DiscardHandler)))
	defer sys.Stop(ctx)
	q, _ := sys.NewQueue("q", cmwq.Ordered(), cmwq.Supervise(
		supervisor.AtMost(2, time.Hour, supervisor.Ignore()).Then(supervisor.Escalate())))
	for range 3 {
		q.Go(func(*cmwq.Context) error { return errBusyServer })
	}
	q.Flush(ctx)
	// Output: cmwq: queue q escalates: the server is busy
}

// Drop gives an item up, and says so.
func ExampleRetryError() {
	ctx := context.Background()
	sys, _ := cmwq.New(cmwq.WithOnFailure(func(queue string, err error) { fmt.Println(queue, "lost an item") }))
	defer sys.Stop(ctx)
	q, _ := sys.NewQueue("q", cmwq.Supervise(supervisor.Drop()))
	fut := cmwq.Submit(q, func(*cmwq.Context) (int, error) { return 0, errBusyServer })
	_, err := fut.Wait(ctx)
	q.Flush(ctx)
	fmt.Println(err)
	fmt.Println(errors.Is(err, cmwq.ErrGivenUp), errors.Is(err, errBusyServer))
	// Output:
	// q lost an item
	// cmwq: work failed and was given up after attempt 1: the server is busy
	// true true
}
