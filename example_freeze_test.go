package cmwq_test

import (
	"context"
	"fmt"

	"github.com/cmwq/cmwq"
)

// A checkpoint: what runs ends, what comes meanwhile waits.
func ExampleSystem_Freeze() {
	ctx := context.Background()
	sys, _ := example()
	defer sys.Stop(ctx)
	q, err := sys.NewQueue("writes", cmwq.Freezable())
	if err != nil {
		panic(err)
	}
	write := func(what string) func(*cmwq.Context) error {
		return func(*cmwq.Context) error { fmt.Println(what); return nil }
	}
	_ = q.Go(write("before"))
	if err := sys.Freeze(ctx); err != nil {
		panic(err)
	}
	_ = q.Go(write("after"))
	fmt.Println("checkpoint")
	sys.Thaw()
	_ = q.Flush(ctx)
	// Output:
	// before
	// checkpoint
	// after
}
