package cmwq_test

import (
	"context"
	"fmt"

	"github.com/cmwq/cmwq"
)

// What runs far down the call stack can tell which item it works for.
func ExampleCurrent() {
	sys, q := example()
	defer sys.Stop(context.Background())
	var w *cmwq.Work
	log := func(ctx context.Context) {
		e, ok := cmwq.Current(ctx)
		fmt.Println(ok, e.Queue, e.Desc, e.Is(w))
	}
	w = cmwq.NewWork(func(ctx *cmwq.Context) error {
		log(ctx)
		ctx.SetDesc("page %d", 7)
		log(ctx)
		return nil
	})
	_ = q.Queue(w)
	_ = w.Flush(context.Background())
	log(context.Background())
	// Output:
	// true example example true
	// true example page 7 true
	// false   false
}
