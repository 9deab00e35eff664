package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cmwq/cmwq"
)

// Short items, run in order at the least cost. One that would sleep is told so.
func ExampleBH() {
	sys, err := cmwq.New()
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())
	q, err := sys.NewQueue("rx", cmwq.BH())
	if err != nil {
		panic(err)
	}
	for i := range 3 {
		_ = q.QueueOn(0, cmwq.NewWork(func(*cmwq.Context) error { fmt.Println("packet", i); return nil }))
	}
	_ = q.Flush(context.Background())
	_, err = cmwq.Submit(q, func(ctx *cmwq.Context) (int, error) {
		return 0, ctx.Sleep(time.Millisecond)
	}).Wait(context.Background())
	fmt.Println(errors.Is(err, cmwq.ErrAtomic))
	_, err = sys.NewQueue("odd", cmwq.BH(), cmwq.MaxActive(4))
	fmt.Println(err)
	// Output:
	// packet 0
	// packet 1
	// packet 2
	// true
	// cmwq: option is not valid: BH excludes MaxActive
}
