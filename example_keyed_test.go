package cmwq_test

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/cmwq/cmwq"
)

// Transfers of one account run one at a time and in order; accounts do not wait
// for each other.
func ExampleQueue_Keyed() {
	sys, q := example()
	defer sys.Stop(context.Background())
	var mu sync.Mutex
	history := map[string][]int{}
	for i := range 6 {
		account := []string{"alice", "bob"}[i%2]
		_ = q.Keyed(account).Go(func(ctx *cmwq.Context) error {
			_ = ctx.Sleep(time.Millisecond)
			mu.Lock()
			defer mu.Unlock()
			history[account] = append(history[account], i)
			return nil
		})
	}
	_ = q.Flush(context.Background())
	fmt.Println(history)
	// Output: map[alice:[0 2 4] bob:[1 3 5]]
}

func ExampleKeyed() {
	sys, q := example()
	defer sys.Stop(context.Background())
	key := q.Keyed("log") // kept: queueing with it allocates no more than without
	total := cmwq.Submit(key, func(*cmwq.Context) (int, error) { return 1, nil })
	tick := cmwq.NewWork(func(*cmwq.Context) error { fmt.Println("tick"); return nil })
	_ = key.QueueAfter(time.Hour, tick)
	wasPending, err := key.Modify(0, tick)
	fmt.Println(wasPending, err)
	_ = q.Flush(context.Background())
	fmt.Println(total.Wait(context.Background()))
	fmt.Println(q.Keyed([]byte("a slice")).Queue(tick))
	// Unordered output:
	// true <nil>
	// tick
	// 1 <nil>
	// cmwq: a key must be comparable, and equal to itself
}
