package cmwq_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq"
)

// shout asks a speaker for a loud text.
type shout struct{ text string }

// speaker is an actor that has a queue do what takes long, so that it hears its next
// message at once. Whoever asked gets the result, as a message from the queue.
type speaker struct{ queue *cmwq.Queue }

func (s *speaker) Receive(c actor.Context) {
	if m, ok := c.Message().(shout); ok {
		loud := cmwq.Submit(s.queue, func(ctx *cmwq.Context) (string, error) {
			err := ctx.Sleep(time.Millisecond) // another item has the CPU meanwhile
			return strings.ToUpper(m.text), err
		})
		cmwq.PipeTo(c, loud, c.Sender())
	}
}

// In a program with actors, a system of queues lives in the actor system that is there:
// pools, workers and queues are actors among the others.
func Example_embed() {
	quiet := func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }
	as := actor.NewActorSystem(actor.WithLoggerFactory(quiet))
	defer as.Shutdown() // last: queues end before
	sys, err := cmwq.Start(as)
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background()) // waits for all work
	q, err := sys.NewQueue("loud")       // as wide as the machine: nothing to be sized
	if err != nil {
		panic(err)
	}

	pid := as.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &speaker{q} }))
	answer, err := as.Root.RequestFuture(pid, shout{"hello"}, time.Minute).Result()
	if err != nil {
		panic(err)
	}
	r := answer.(*cmwq.Result[string])
	fmt.Println(r.Value, r.Err)
	// Output: HELLO <nil>
}
