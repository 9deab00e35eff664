package supervisor_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// A queue of uploads: what is temporary is tried five times, what panicked is not, and
// what fails for good is kept, the last thousand; more than 100 failures a minute are no
// accident, and end the queue.
func Example() {
	strategy := supervisor.AtMost(100, time.Minute,
		supervisor.When(supervisor.As[*cmwq.PanicError](), supervisor.Report()).
			Else(supervisor.Retry(4, supervisor.Exponential(time.Millisecond, time.Minute)).
				Then(supervisor.DeadLetter(1000))),
	).Then(supervisor.StopQueue())

	ctx := context.Background()
	sys, err := cmwq.New(cmwq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		panic(err)
	}
	defer sys.Stop(ctx)
	uploads, err := sys.NewQueue("uploads", cmwq.Supervise(strategy))
	if err != nil {
		panic(err)
	}

	second := cmwq.Submit(uploads, func(ctx *cmwq.Context) (string, error) {
		if ctx.Attempt() == 1 {
			return "", errors.New("the connection was reset")
		}
		return fmt.Sprint("done in attempt ", ctx.Attempt()), nil
	})
	never := cmwq.Submit(uploads, func(*cmwq.Context) (string, error) { return "", errors.New("no space left") })
	bug := cmwq.Submit(uploads, func(*cmwq.Context) (string, error) { panic("nil map") })
	fmt.Println(second.Wait(ctx))
	_, err = never.Wait(ctx) // of the last attempt
	fmt.Println(err)
	_, err = bug.Wait(ctx)
	fmt.Println(err)
	letters, err := uploads.DeadLetters(ctx)
	fmt.Println(len(letters), letters[0].Attempts, err)
	// Output:
	// done in attempt 2 <nil>
	// no space left
	// cmwq: work panicked: nil map
	// 1 5 <nil>
}
