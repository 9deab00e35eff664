// Command supervise shows what becomes of work that fails, in a program with actors.
//
// A post office is an actor with a queue for its child. A van that is full is tried again
// a little later; a letter to a street that is not known becomes a dead letter, and is
// queued anew when the street is found; and when the franking machine jams, the queue
// asks the office's own supervisor strategy, which has it restarted: what waits, stays.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/messages"
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
	sys, err := cmwq.Start(as)
	if err != nil {
		return err
	}
	dead := make(chan *messages.DeadLettered, 10) // subscribers are called by the queue's actor: they must not block
	as.EventStream.Subscribe(func(event any) {
		if d, ok := event.(*messages.DeadLettered); ok {
			dead <- d
		}
	})

	p := &post{lines: make(chan string, 20), streets: map[string]bool{}, works: make(chan struct{})}
	close(p.works)
	for _, to := range []string{"ann", "cid", "dan", "eve"} {
		p.streets[to] = true
	}
	props := actor.PropsFromProducer(func() actor.Actor { return &office{sys: sys, post: p} },
		actor.WithSupervisor(actor.NewOneForOneStrategy(10, time.Minute, p.decide)))
	pid, err := as.Root.SpawnNamed(props, "office")
	if err != nil {
		return err
	}
	send := func(b bag) error { return as.Root.RequestFuture(pid, b, time.Minute).Wait() }
	read := func(lines int) {
		for range lines {
			fmt.Fprintln(out, <-p.lines)
		}
	}

	// It will pass: tried again, each time later.
	if err := send(bag{{to: "ann", full: 2}}); err != nil {
		return err
	}
	read(3)

	// It will not pass: kept, until somebody who can has mended the cause.
	if err := send(bag{{to: "bob"}}); err != nil {
		return err
	}
	read(1)
	d := <-dead
	fmt.Fprintf(out, "dead letter %d of %s to %v: %v\n", d.ID, d.Queue, d.Key, d.Err)
	p.streets["bob"] = true
	if _, err := sys.Queue("office/mail").Requeue(d.ID); err != nil {
		return err
	}
	read(1)

	// Nothing goes until it is mended: the parent decides, and two letters wait.
	jam := make(chan struct{})
	if err := send(bag{{to: "cid", jam: jam}, {to: "dan"}, {to: "eve"}}); err != nil {
		return err
	}
	close(jam)
	read(5)

	// The books: what escalates has failed, as a dead letter has.
	q := sys.Queue("office/mail")
	if err := q.Flush(context.Background()); err != nil {
		return err
	}
	st, err := q.Stats(context.Background())
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d executions: %d tried again, %d failed, %d of them a dead letter\n", st.Total, st.Retried, st.Failed, st.DeadLettered)
	if err := as.Root.StopFuture(pid).Wait(); err != nil { // the queue drains first
		return err
	}
	return sys.Stop(context.Background())
}
