package cmwq_test

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq"
)

// Actors that block are run as items of a queue, which says how many may at a time.
func ExampleDispatcher() {
	as := quietActors()
	sys, _ := cmwq.Start(as)
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("disk", cmwq.MaxActive(2))

	var saved sync.WaitGroup
	saver := actor.PropsFromFunc(func(c actor.Context) {
		if _, ok := c.Message().(string); ok {
			time.Sleep(time.Millisecond) // a disk
			saved.Done()
		}
	}, actor.WithDispatcher(cmwq.Dispatcher(q)))
	for range 10 {
		saved.Add(1)
		as.Root.Send(as.Root.Spawn(saver), "page")
	}
	saved.Wait()
	st, _ := q.Stats(context.Background())
	fmt.Println(st.MaxActive, st.Total >= 10)
	// Output: 2 true
}

// An actor on a queue declares its sleeps, as any item does.
func ExampleFromActor() {
	as := quietActors()
	sys, _ := cmwq.Start(as)
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("disk")

	saver := as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		if page, ok := c.Message().(string); ok {
			if ctx, ok := cmwq.FromActor(c); ok {
				ctx.SetDesc("saving %s", page)
				_ = ctx.Sleep(time.Millisecond) // or Block, Await, Request
			}
			c.Respond("saved " + page)
		}
	}, cmwq.OnQueue(q)))
	fmt.Println(as.Root.RequestFuture(saver, "page 1", time.Minute).Result())
	// Output: saved page 1 <nil>
}
