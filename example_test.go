package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cmwq/cmwq"
)

// A system, a queue, some work: the whole of it.
func Example() {
	ctx := context.Background()
	sys, err := cmwq.New()
	if err != nil {
		panic(err)
	}
	defer func() { _ = sys.Stop(ctx) }()
	q, err := sys.NewQueue("squares")
	if err != nil {
		panic(err)
	}
	var squares [5]int
	for i := range squares {
		_ = q.Go(func(ctx *cmwq.Context) error {
			squares[i] = i * i
			return nil
		})
	}
	_ = q.Flush(ctx)
	fmt.Println(squares)
	// Output: [0 1 4 9 16]
}

// A reusable item: it is pending or not, and its function may queue it again.
func ExampleQueue_Queue() {
	sys, q := example()
	defer sys.Stop(context.Background())
	n := 0
	var w *cmwq.Work
	w = cmwq.NewWork(func(ctx *cmwq.Context) error {
		if n++; n < 3 {
			return q.Queue(w)
		}
		return nil
	})
	fmt.Println(q.Queue(w))
	_ = q.Drain(context.Background()) // takes what the item queues itself
	fmt.Println(n)
	// Output:
	// <nil>
	// 3
}

func ExampleQueue_QueueAfter() {
	sys, q := example()
	defer sys.Stop(context.Background())
	w := cmwq.NewWork(func(*cmwq.Context) error { fmt.Println("ran"); return nil })
	fmt.Println(q.QueueAfter(time.Hour, w))
	fmt.Println(errors.Is(q.Queue(w), cmwq.ErrPending))
	fmt.Println(q.Modify(time.Millisecond, w))
	fmt.Println(w.Flush(context.Background())) // runs it now, if it has not run yet
	// Output:
	// <nil>
	// true
	// true <nil>
	// ran
	// <nil>
}

// A hundred items that sleep, two CPUs: nobody waits for anybody.
func ExampleContext() {
	sys, q := example()
	defer sys.Stop(context.Background())
	begin := time.Now()
	for range 100 {
		_ = q.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(200 * time.Millisecond) })
	}
	_ = q.Flush(context.Background())
	fmt.Println("100 sleeps of 0.2 s in less than 10 s:", time.Since(begin) < 10*time.Second)
	// Output: 100 sleeps of 0.2 s in less than 10 s: true
}

func ExampleSubmit() {
	sys, q := example()
	defer sys.Stop(context.Background())
	fut := cmwq.Submit(q, func(ctx *cmwq.Context) (int, error) { return 6 * 7, nil })
	fmt.Println(fut.Wait(context.Background()))
	// Output: 42 <nil>
}

func ExampleAwait() {
	sys, q := example()
	defer sys.Stop(context.Background())
	answers := make(chan int)
	fut := cmwq.Submit(q, func(ctx *cmwq.Context) (int, error) { return cmwq.Await(ctx, answers) })
	answers <- 42
	fmt.Println(fut.Wait(context.Background()))
	// Output: 42 <nil>
}

func ExampleWork_CancelWait() {
	sys, q := example()
	defer sys.Stop(context.Background())
	started := make(chan struct{})
	w := cmwq.NewWork(func(ctx *cmwq.Context) error {
		close(started)
		fmt.Println(ctx.Sleep(time.Hour))
		return nil
	})
	_ = q.Queue(w)
	<-started
	fmt.Println(w.CancelWait(context.Background()))
	// Output:
	// cmwq: work was cancelled
	// false <nil>
}

func ExampleOrdered() {
	sys, _ := example()
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("log", cmwq.Ordered())
	for i := range 3 {
		_ = q.Go(func(ctx *cmwq.Context) error {
			ctx.Block(func() { time.Sleep(time.Duration(3-i) * time.Millisecond) })
			fmt.Println(i)
			return nil
		})
	}
	_ = q.Flush(context.Background())
	// Output:
	// 0
	// 1
	// 2
}

func ExampleQueue_Drain() {
	sys, q := example()
	defer sys.Stop(context.Background())
	hold := make(chan struct{})
	w := cmwq.NewWork(func(ctx *cmwq.Context) error {
		_, _ = cmwq.Await(ctx, hold)
		return cmwq.CurrentQueue(ctx).Go(func(*cmwq.Context) error { fmt.Println("chained"); return nil })
	})
	_ = q.Queue(w)
	drained := make(chan error)
	go func() { drained <- q.Drain(context.Background()) }()
	for q.Go(func(*cmwq.Context) error { return nil }) == nil { // until the drain has begun
	}
	close(hold)
	fmt.Println(<-drained)
	// Output:
	// chained
	// <nil>
}

func example() (*cmwq.System, *cmwq.Queue) {
	sys, err := cmwq.New()
	if err != nil {
		panic(err)
	}
	q, err := sys.NewQueue("example")
	if err != nil {
		panic(err)
	}
	return sys, q
}
