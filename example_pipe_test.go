package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"github.com/cmwq/cmwq"
)

// An actor has work done and hears of it by message: it never waits.
func ExamplePipeTo() {
	as := quietActors()
	sys, _ := cmwq.Start(as)
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("sums")

	client := map[uuid.UUID]*actor.PID{}
	adder := as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		switch m := c.Message().(type) {
		case []int:
			fut := cmwq.Submit(q, func(*cmwq.Context) (int, error) {
				sum := 0
				for _, n := range m {
					sum += n
				}
				return sum, nil
			})
			client[fut.ID()] = c.Sender()
			cmwq.PipeTo(c, fut, c.Self())
		case *cmwq.Result[int]:
			c.Send(client[m.ID], m.Value)
			delete(client, m.ID)
		}
	}))
	fmt.Println(as.Root.RequestFuture(adder, []int{1, 2, 3}, time.Minute).Result())
	// Output: 6 <nil>
}

// Every item that is queued through the view is told to an actor.
func ExamplePiped() {
	as := quietActors()
	sys, _ := cmwq.Start(as)
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("mails", cmwq.Ordered())

	told := make(chan string)
	log := as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		if m, ok := c.Message().(*cmwq.Done); ok {
			told <- fmt.Sprint(m.Attempt, " ", m.Err)
		}
	}))
	mails := cmwq.Piped(q, log)
	_ = mails.Go(func(*cmwq.Context) error { return nil })
	_ = mails.Go(func(*cmwq.Context) error { return errors.New("no such mailbox") })
	fmt.Println(<-told)
	fmt.Println(<-told)
	// Output:
	// 1 <nil>
	// 1 no such mailbox
}
