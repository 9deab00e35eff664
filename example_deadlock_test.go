package cmwq_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/cmwq/cmwq"
)

// An item that waits for its own queue would wait for itself. It is told so at
// once, if it passes its context.
func ExampleDeadlockError() {
	sys, q := example()
	defer sys.Stop(context.Background())
	fut := cmwq.Submit(q, func(ctx *cmwq.Context) (string, error) {
		ctx.SetDesc("report")
		err := q.Flush(ctx)
		if d, ok := errors.AsType[*cmwq.DeadlockError](err); ok {
			return fmt.Sprintf("%s: item %q for queue %q", d.Op, d.Who.Desc, d.For.Queue), nil
		}
		return "flushed", err
	})
	fmt.Println(fut.Wait(context.Background()))
	// Output: flush: item "report" for queue "example" <nil>
}
