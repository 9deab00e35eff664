package cmwq_test

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/messages"
)

// save asks a user to save a page, and saved answers when all before it are saved.
type (
	save  struct{ page int }
	saved struct{}
)

// user is an actor with a queue for a child: what is saved for one user is saved in
// order, and what is saved for others goes on beside it.
type user struct {
	sys   *cmwq.System
	pages *cmwq.Queue
	asked []*actor.PID
}

func (u *user) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started: // after a restart, too, which ends the queue as any child
		pages, err := u.sys.SpawnQueue(c, "pages", cmwq.Ordered(), cmwq.Shutdown(time.Minute))
		if err != nil {
			panic(err)
		}
		u.pages = pages
	case save:
		err := u.pages.Go(func(ctx *cmwq.Context) error {
			fmt.Println("page", m.page)
			return ctx.Sleep(time.Millisecond)
		})
		if err != nil {
			panic(err)
		}
	case saved: // an actor does not wait: it asks by message, and is answered by one
		u.asked = append(u.asked, c.Sender())
		c.Request(u.pages.PID(), &messages.Flush{})
	case *messages.Flushed:
		c.Send(u.asked[0], saved{})
		u.asked = u.asked[1:]
	case *actor.Stopped:
		fmt.Println("the user is gone, and so is the queue:", u.sys.Queue("ann/pages") == nil)
	}
}

// A queue may be the child of any actor. It ends with its parent, after it has done what it had
// accepted, for as long as Shutdown allows; nothing has to end it. A thousand such queues share
// the pools of the machine.
func Example_spawnAsChildren() {
	quiet := func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }
	as := actor.NewActorSystem(actor.WithLoggerFactory(quiet))
	defer as.Shutdown()
	sys, err := cmwq.Start(as)
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())

	ann, err := as.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return &user{sys: sys} }), "ann")
	if err != nil {
		panic(err)
	}
	as.Root.Send(ann, save{1})
	as.Root.Send(ann, save{2})
	if _, err := as.Root.RequestFuture(ann, saved{}, time.Minute).Result(); err != nil {
		panic(err)
	}
	fmt.Println("saved")
	fmt.Println("known as", sys.Queue("ann/pages").Name())

	as.Root.Send(ann, save{3})
	_ = as.Root.PoisonFuture(ann).Wait() // the queue drains first
	// Output:
	// page 1
	// page 2
	// saved
	// known as ann/pages
	// page 3
	// the user is gone, and so is the queue: true
}
