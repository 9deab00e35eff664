package cmwq_test

import (
	"context"
	"fmt"

	"github.com/cmwq/cmwq"
)

// What a queue works on is away for a while: nothing is refused, and nothing runs.
func ExampleQueue_Pause() {
	ctx := context.Background()
	sys, _ := example()
	defer sys.Stop(ctx)
	q, err := sys.NewQueue("mail", cmwq.Ordered())
	if err != nil {
		panic(err)
	}
	send := func(what string) func(*cmwq.Context) error {
		return func(*cmwq.Context) error { fmt.Println("sent", what); return nil }
	}
	_ = q.Go(send("first"))
	if err := q.Pause(ctx); err != nil {
		panic(err)
	}
	fmt.Println("the server restarts")
	_ = q.Go(send("second"))
	_ = q.Go(send("third"))
	st, _ := q.Stats(ctx)
	fmt.Println(st.Inactive, "wait")
	_ = q.Resume()
	_ = q.Flush(ctx)
	// Output:
	// sent first
	// the server restarts
	// 2 wait
	// sent second
	// sent third
}
