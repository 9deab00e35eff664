package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq"
)

// An item asks an actor: its worker sleeps meanwhile, and others go on.
func ExampleRequest() {
	type price struct{ of string }
	as := quietActors()
	shop := as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		if m, ok := c.Message().(price); ok {
			c.Respond(len(m.of))
		}
	}))
	sys, _ := cmwq.Start(as)
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("shopping")
	_ = q.Go(func(ctx *cmwq.Context) error {
		euros, err := cmwq.Request[int](ctx, shop, price{"ham"})
		fmt.Println(euros, err)

		short, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		_, err = cmwq.Request[string](short, shop, price{"ham"})
		fmt.Println(err)

		_, err = ctx.Request(actor.NewPID(as.Address(), "market"), price{"ham"})
		fmt.Println(errors.Is(err, cmwq.ErrNoActor))
		return nil
	})
	_ = q.Flush(context.Background())
	// Output:
	// 3 <nil>
	// cmwq: asked for string, answered by int
	// true
}
