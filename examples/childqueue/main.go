// Command childqueue shows queues that belong to actors. Each user is an actor with a
// queue of its own, as its child: drafts of one letter are saved in order, letters side
// by side. When a user is killed, so is the work that nobody wants any more; the
// others do not notice.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq"
)

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out io.Writer) error {
	quiet := slog.New(slog.DiscardHandler)
	as := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return quiet }))
	defer as.Shutdown()
	sys, err := cmwq.Start(as, cmwq.WithLogger(quiet))
	if err != nil {
		return err
	}
	abandoned := make(chan *cmwq.Abandoned, 1)
	as.EventStream.Subscribe(func(event any) {
		if a, ok := event.(*cmwq.Abandoned); ok {
			abandoned <- a
		}
	})
	ann, bob := newDesk(out), newDesk(out)
	for name, desk := range map[string]*desk{"ann": ann, "bob": bob} {
		props := actor.PropsFromProducer(func() actor.Actor { return &user{name: name, sys: sys, desk: desk} })
		if desk.pid, err = as.Root.SpawnNamed(props, name); err != nil {
			return err
		}
	}

	as.Root.Send(ann.pid, write{letter: "to mum", drafts: 2})
	ann.read(2)

	as.Root.Send(bob.pid, write{letter: "to the tax office", drafts: 4, slow: true})
	<-bob.begun
	as.Root.Stop(bob.pid)
	a := <-abandoned
	fmt.Fprintf(out, "%s ended: %d told to end, %d never begun\n", a.Queue, a.Running, a.Dropped)
	bob.read(1)

	as.Root.Send(ann.pid, write{letter: "to dad", drafts: 1})
	ann.read(1)
	return sys.Stop(context.Background())
}
