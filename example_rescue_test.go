package cmwq_test

import (
	"context"
	"fmt"

	"github.com/cmwq/cmwq"
)

// A pool that may have one worker, and whose worker waits for memory to be
// written back: the queue that writes it back has a rescuer, and gets on.
func ExampleMemReclaim() {
	sys, err := cmwq.New(cmwq.WithMaxWorkers(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	defer func() { _ = sys.Stop(ctx) }()
	readers, err := sys.NewQueue("read")
	if err != nil {
		fmt.Println(err)
		return
	}
	writeback, err := sys.NewQueue("writeback", cmwq.MemReclaim())
	if err != nil {
		fmt.Println(err)
		return
	}

	clean := make(chan string)
	read := cmwq.Submit(readers, func(ctx *cmwq.Context) (string, error) { return cmwq.Await(ctx, clean) })
	_ = writeback.Go(func(ctx *cmwq.Context) error {
		fmt.Println("on", ctx.Worker(), "rescuer:", ctx.IsRescuer())
		clean <- "memory is free"
		return nil
	})
	fmt.Println(read.Wait(ctx))
	// Output:
	// on kworker/R-writeback rescuer: true
	// memory is free <nil>
}
