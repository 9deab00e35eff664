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

// A queue that is a child of an actor is done with its work before the actor is gone.
func ExampleQueueProps() {
	as := quietActors()
	defer as.Shutdown()
	sys, _ := cmwq.Start(as)
	user := actor.PropsFromFunc(func(ctx actor.Context) {
		switch ctx.Message().(type) {
		case *actor.Started:
			pid := ctx.Spawn(cmwq.QueueProps(sys, "mail", cmwq.MaxActive(4)))
			fmt.Println(pid.Id)
			_ = sys.Queue(pid.Id).Go(func(ctx *cmwq.Context) error {
				_ = ctx.Sleep(10 * time.Millisecond)
				fmt.Println("sent")
				return nil
			})
		case *actor.Stopped:
			fmt.Println("gone")
		}
	})
	pid, _ := as.Root.SpawnNamed(user, "ann")
	_ = as.Root.StopFuture(pid).Wait()
	_ = sys.Stop(context.Background())
	// Output:
	// ann/mail
	// sent
	// gone
}

// Errors come from SpawnQueue, as from SpawnNamed; Spawn would panic.
func ExampleSystem_SpawnQueue() {
	as := quietActors()
	defer as.Shutdown()
	sys, _ := cmwq.Start(as)
	q, err := sys.SpawnQueue(as.Root, "thumbnails", cmwq.Ordered())
	fmt.Println(q.Name(), err)
	_, err = sys.SpawnQueue(as.Root, "thumbnails")
	fmt.Println(err)
	_ = sys.Stop(context.Background())
	// Output:
	// thumbnails <nil>
	// cmwq: a queue of that name exists
}

// A queue that is told to stop, and may not drain, says what it did not do.
func ExampleShutdown() {
	as := quietActors()
	defer as.Shutdown()
	sys, _ := cmwq.Start(as, cmwq.WithLogger(slog.New(slog.DiscardHandler)))
	abandoned := make(chan *cmwq.Abandoned, 1)
	as.EventStream.Subscribe(func(event any) {
		if a, ok := event.(*cmwq.Abandoned); ok {
			abandoned <- a
		}
	})
	q, _ := sys.SpawnQueue(as.Root, "q", cmwq.MaxActive(1), cmwq.Shutdown(0))
	begun, why := make(chan struct{}), make(chan error, 1)
	_ = q.Go(func(ctx *cmwq.Context) error {
		close(begun)
		<-ctx.Done()
		why <- context.Cause(ctx)
		return nil
	})
	<-begun
	waiting := cmwq.NewWork(func(*cmwq.Context) error { return nil })
	_ = q.Queue(waiting)
	as.Root.Stop(q.PID())
	a := <-abandoned
	fmt.Println(a.Queue, a.Running, a.Dropped, a.Has(waiting), waiting.Busy().Pending)
	fmt.Println(<-why)
	_ = sys.Stop(context.Background())
	// Output:
	// q 1 1 true false
	// cmwq: queue is destroyed: its time to shut down was over
}

// An actor need not call methods: everything may be asked for by message, and the
// answer says to which work it belongs.
func ExampleQueue_PID() {
	as := quietActors()
	defer as.Shutdown()
	sys, _ := cmwq.Start(as)
	q, _ := sys.NewQueue("q")
	w := cmwq.NewWork(func(*cmwq.Context) error { fmt.Println("runs"); return nil })
	done := make(chan struct{})
	as.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
		switch m := ctx.Message().(type) {
		case *actor.Started:
			ctx.Request(q.PID(), &messages.Queue{Work: w})
		case *messages.Queued:
			if m.Err != nil {
				fmt.Println(m.Err)
			}
			ctx.Request(q.PID(), &messages.FlushWork{Work: m.Work})
		case *messages.Flushed:
			fmt.Println("has run:", m.Work == w, m.Err)
			close(done)
		}
	}))
	<-done
	_ = sys.Stop(context.Background())
	// Output:
	// runs
	// has run: true <nil>
}

func ExampleAttrsMessage() {
	as := quietActors()
	defer as.Shutdown()
	sys, _ := cmwq.Start(as)
	q, _ := sys.NewQueue("q")
	m, _ := cmwq.AttrsMessage(cmwq.Nice(5))
	answer, err := as.Root.RequestFuture(q.PID(), m, time.Minute).Result()
	fmt.Println(answer.(*messages.AttrsSet).Err, err, q.Attrs().Nice)
	_ = sys.Stop(context.Background())
	// Output: <nil> <nil> 5
}
