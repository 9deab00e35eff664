package cmwq_test

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/time/rate"

	"github.com/cmwq/cmwq"
)

// A service that may be asked a hundred times in a second, and three times at once.
func ExampleRate() {
	sys, _ := example()
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("requests", cmwq.Rate(100, 3))
	begin := time.Now()
	for range 6 {
		_ = q.Go(func(*cmwq.Context) error { return nil })
	}
	_ = q.Flush(context.Background())
	fmt.Println("the last three took 10 ms each:", time.Since(begin) >= 30*time.Millisecond)
	// Output: the last three took 10 ms each: true
}

// The rate may change while items wait.
func ExampleQueue_SetRate() {
	sys, q := example()
	defer sys.Stop(context.Background())
	_ = q.SetRate(0, 1) // one, and then nothing
	first := cmwq.Submit(q, func(*cmwq.Context) (string, error) { return "first", nil })
	second := cmwq.Submit(q, func(*cmwq.Context) (string, error) { return "second", nil })
	fmt.Println(first.Wait(context.Background()))
	_ = q.SetRate(rate.Inf, 0)
	fmt.Println(second.Wait(context.Background()))
	// Output:
	// first <nil>
	// second <nil>
}
