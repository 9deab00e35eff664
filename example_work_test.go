package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cmwq/cmwq"
)

// While an item is disabled nobody can queue it.
func ExampleWork_Disable() {
	ctx := context.Background()
	sys, _ := cmwq.New()
	defer sys.Stop(ctx)
	q, _ := sys.NewQueue("q")
	reload := cmwq.NewWork(func(*cmwq.Context) error { fmt.Println("reloaded"); return nil })

	reload.Disable(ctx) // it does not run any more when this returns
	fmt.Println(q.Queue(reload))
	left, _ := reload.Enable()
	fmt.Println(left)
	q.Queue(reload)
	reload.Flush(ctx)
	// Output:
	// cmwq: work is disabled
	// 0
	// reloaded
}

// What is saved after the last of many changes is saved once.
func ExampleQueue_Modify() {
	ctx := context.Background()
	sys, _ := cmwq.New()
	defer sys.Stop(ctx)
	q, _ := sys.NewQueue("q")
	save := cmwq.NewWork(func(*cmwq.Context) error { fmt.Println("saved"); return nil })
	for range 3 {
		wasPending, _ := q.Modify(time.Minute, save)
		fmt.Println("pending before:", wasPending)
	}
	save.Flush(ctx) // now, not in a minute
	// Output:
	// pending before: false
	// pending before: true
	// pending before: true
	// saved
}

// A Destroy whose context ends says what it did not wait for.
func ExampleQueue_Destroy() {
	sys, _ := cmwq.New()
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("q", cmwq.MaxActive(1))
	started, open := make(chan struct{}), make(chan struct{})
	q.Go(func(*cmwq.Context) error { close(started); <-open; return nil })
	q.Go(func(*cmwq.Context) error { return nil })
	<-started

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if left, ok := errors.AsType[*cmwq.StopError](q.Destroy(ctx)); ok {
		fmt.Println(left.Running, "running,", left.Waiting, "waiting")
	}
	fmt.Println(q.Go(func(*cmwq.Context) error { return nil }))
	close(open) // what was accepted still runs
	// Output:
	// 1 running, 1 waiting
	// cmwq: queue is destroyed
}

// A panic is the failure of one item; the worker goes on.
func ExamplePanicError() {
	ctx := context.Background()
	sys, _ := cmwq.New()
	defer sys.Stop(ctx)
	q, _ := sys.NewQueue("q", cmwq.Ordered())
	broken := cmwq.Submit(q, func(*cmwq.Context) (int, error) { panic("no disk") })
	sound := cmwq.Submit(q, func(*cmwq.Context) (int, error) { return 42, nil })

	_, err := broken.Wait(ctx)
	if p, ok := errors.AsType[*cmwq.PanicError](err); ok {
		fmt.Println("panic:", p.Value)
	}
	fmt.Println(sound.Wait(ctx))
	// Output:
	// panic: no disk
	// 42 <nil>
}
