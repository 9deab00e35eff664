package cmwq_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/cmwq/cmwq"
)

// The report is made when both parts are there, and asks nobody to wait.
func ExampleQueue_After() {
	sys, q := example()
	defer sys.Stop(context.Background())
	fetch := func(n int) func(*cmwq.Context) (int, error) {
		return func(*cmwq.Context) (int, error) { return n, nil }
	}
	sales, costs := cmwq.Submit(q, fetch(100)), cmwq.Submit(q, fetch(60))
	profit := cmwq.Submit(q.After(sales, costs), func(ctx *cmwq.Context) (int, error) {
		s, err := sales.Wait(ctx) // it is at hand
		if err != nil {
			return 0, err
		}
		c, err := costs.Wait(ctx)
		return s - c, err
	})
	fmt.Println(profit.Wait(context.Background()))
	// Output: 40 <nil>
}

// What depends on work that failed is skipped.
func ExampleAfter_OnlyOK() {
	sys, q := example()
	defer sys.Stop(context.Background())
	build := cmwq.NewWork(func(*cmwq.Context) error { return errors.New("syntax error") })
	start := make(chan struct{})
	gate := cmwq.NewWork(func(ctx *cmwq.Context) error { _, err := cmwq.Await(ctx, start); return err })
	_ = q.Queue(gate)
	_ = q.After(gate).Queue(build)
	deploy := cmwq.Submit(q.After(build).OnlyOK(), func(*cmwq.Context) (string, error) { return "deployed", nil })
	clean := cmwq.Submit(q.After(build), func(*cmwq.Context) (string, error) { return "cleaned", nil })
	close(start)
	_, err := deploy.Wait(context.Background())
	fmt.Println(err)
	fmt.Println(clean.Wait(context.Background()))
	// Output:
	// cmwq: work that this was to be queued after did not end well: syntax error
	// cleaned <nil>
}
