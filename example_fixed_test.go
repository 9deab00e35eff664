package cmwq_test

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/cmwq/cmwq"
)

// Two workers of the queue's own, in each of whose mailboxes eight items may wait.
func ExampleQueue_Fix() {
	sys, q := example()
	defer sys.Stop(context.Background())
	fmt.Println(q.Fix(2, 8))
	var ran atomic.Int32
	for range 100 { // what finds no room goes to the shared pool
		_ = q.Go(func(*cmwq.Context) error { ran.Add(1); return nil })
	}
	_ = q.Flush(context.Background())
	fmt.Println(ran.Load(), "ran")
	fmt.Println(q.Unfix())
	// Output:
	// <nil>
	// 100 ran
	// <nil>
}
