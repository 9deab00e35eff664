package messages_test

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/messages"
)

// printer is an actor that has pages printed, and never waits: all that it wants of the
// queue it says by message, and answers come as messages.
type printer struct {
	queue *actor.PID
	page  *cmwq.Work    // the one that prints
	next  *cmwq.Work    // one that waits behind it
	paper chan struct{} // closed when there is some
	done  chan struct{}
}

func (p *printer) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		c.Request(p.queue, &messages.Queue{Work: p.page})
		c.Request(p.queue, &messages.Queue{Work: p.next})
	case *messages.Queued:
		if m.Work == p.next {
			c.Request(p.queue, &messages.Cancel{Work: p.next})
		}
	case *messages.Cancelled:
		fmt.Println("cancelled while it waited:", m.WasPending, m.Err)
		close(p.paper)
		c.Request(p.queue, &messages.Flush{}) // or FlushWork, for one item
	case *messages.Flushed:
		fmt.Println("all is printed:", m.Err)
		c.Request(p.queue, &messages.Destroy{})
	case *messages.Destroyed:
		fmt.Println("the queue has ended:", m.Err)
		close(p.done)
	}
}

// An actor queues, cancels and flushes work by messages to the queue's PID. An answer
// comes to the sender when it is there; it has the Err that the method of that name
// would return.
func Example() {
	quiet := func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }
	as := actor.NewActorSystem(actor.WithLoggerFactory(quiet))
	defer as.Shutdown()
	sys, err := cmwq.Start(as)
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())
	q, err := sys.NewQueue("pages", cmwq.Ordered())
	if err != nil {
		panic(err)
	}

	p := &printer{queue: q.PID(), paper: make(chan struct{}), done: make(chan struct{})}
	p.page = cmwq.NewWork(func(ctx *cmwq.Context) error {
		_, err := cmwq.Await(ctx, p.paper)
		fmt.Println("a page")
		return err
	})
	p.next = cmwq.NewWork(func(*cmwq.Context) error { fmt.Println("never"); return nil })
	as.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return p }))
	<-p.done
	// Output:
	// cancelled while it waited: true <nil>
	// a page
	// all is printed: <nil>
	// the queue has ended: <nil>
}
