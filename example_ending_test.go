package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq"
)

// In a program with actors the system lives among them.
func ExampleStart() {
	actors := actor.NewActorSystem()
	defer actors.Shutdown()
	sys, err := cmwq.Start(actors)
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())
	err = sys.RunOn(context.Background(), 0, func(ctx *cmwq.Context) error {
		fmt.Println("on CPU", ctx.CPU())
		return nil
	})
	fmt.Println(err)
	// Output:
	// on CPU 0
	// <nil>
}

// Stop waits for what is queued, for as long as its context allows; then it cancels
// what runs, and says what it left behind.
func ExampleSystem_Stop() {
	sys, q := example()
	_ = q.Go(func(*cmwq.Context) error { fmt.Println("queued before"); return nil })
	fmt.Println(sys.Stop(context.Background()))
	fmt.Println(q.Go(func(*cmwq.Context) error { return nil }))

	sys, q = example()
	_ = q.SetMaxActive(1)
	began, ended := make(chan struct{}), make(chan error, 1)
	_ = q.Go(func(ctx *cmwq.Context) error {
		close(began)
		ended <- ctx.Sleep(time.Hour)
		return nil
	})
	_ = q.Go(func(*cmwq.Context) error { fmt.Println("never"); return nil })
	<-began
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	err := sys.Stop(ctx)
	var left *cmwq.StopError
	fmt.Println(errors.As(err, &left), errors.Is(err, context.DeadlineExceeded), left.Dropped)
	fmt.Println(<-ended)
	// Output:
	// queued before
	// <nil>
	// cmwq: system is stopped
	// true true 1
	// cmwq: system is stopped
}

// Who destroys a queue waits for its end, whoever was first.
func ExampleErrDestroyed() {
	sys, q := example()
	defer sys.Stop(context.Background())
	_ = q.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Millisecond) })
	errs := make(chan error, 2)
	for range cap(errs) {
		go func() { errs <- q.Destroy(context.Background()) }()
	}
	fmt.Println(errors.Is(errors.Join(<-errs, <-errs), cmwq.ErrDestroyed))
	fmt.Println(q.Go(func(*cmwq.Context) error { return nil }))
	// Output:
	// true
	// cmwq: queue is destroyed
}

// A flush waits for what was queued before it: neither for what is queued later nor
// for timers.
func ExampleQueue_Flush() {
	sys, q := example()
	defer sys.Stop(context.Background())
	done := false
	_ = q.Go(func(ctx *cmwq.Context) error {
		defer func() { done = true }()
		return ctx.Sleep(time.Millisecond)
	})
	_ = q.QueueAfter(time.Hour, cmwq.NewWork(func(*cmwq.Context) error { return nil }))
	fmt.Println(q.Flush(context.Background()), done)

	_ = q.Go(func(ctx *cmwq.Context) error {
		fmt.Println(errors.Is(q.Flush(ctx), cmwq.ErrDeadlock)) // it would wait for itself
		return nil
	})
	fmt.Println(q.Flush(context.Background()))
	// Output:
	// <nil> true
	// true
	// <nil>
}

// A queue is found by its name, and the same handle is given each time.
func ExampleSystem_Queue() {
	sys, q := example()
	defer sys.Stop(context.Background())
	fmt.Println(sys.Queue("example") == q, sys.Queue("nobody's"))
	_, err := sys.NewQueue("example")
	fmt.Println(err)
	// Output:
	// true <nil>
	// cmwq: a queue of that name exists
}

// What an item queues on the queue that CurrentQueue gives is taken while that drains.
func ExampleCurrentQueue() {
	sys, q := example()
	defer sys.Stop(context.Background())
	hold := make(chan struct{})
	_ = q.Go(func(ctx *cmwq.Context) error {
		ctx.Block(func() { <-hold })
		return cmwq.CurrentQueue(ctx).Go(func(*cmwq.Context) error { fmt.Println("chained"); return nil })
	})
	over, cancel := context.WithCancel(context.Background())
	cancel()
	_ = q.Destroy(over) // begins, and does not wait
	fmt.Println(q.Go(func(*cmwq.Context) error { return nil }))
	close(hold)
	_ = q.Destroy(context.Background())
	// Output:
	// cmwq: queue is destroyed
	// chained
}
