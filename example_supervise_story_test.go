package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

var (
	errBusy   = errors.New("the line is busy")
	errNobody = errors.New("nobody of that number")
	errCut    = errors.New("the cable is cut")
)

// calls is what becomes of calls that fail: a cut cable is the parent's business; a line
// that is busy is tried again, later each time; and what does not help is kept.
var calls = supervisor.
	When(supervisor.Is(errCut), supervisor.Escalate()).
	Else(supervisor.Retry(3, supervisor.Exponential(time.Millisecond, time.Second)).
		Then(supervisor.DeadLetter(100)))

// dial is a work function: it returns errors, and knows nothing of the strategy.
func dial(ctx *cmwq.Context, number string) (string, error) {
	fmt.Println("call", number, "attempt", ctx.Attempt(), "after", ctx.LastError())
	switch {
	case number == "1" && ctx.Attempt() < 3:
		return "", errBusy
	case number == "2":
		return "", cmwq.Permanent(errNobody) // no retry makes sense
	case number == "3":
		return "", errCut
	}
	return "hello", nil
}

// exchange is an actor that has calls made by a queue, its child.
type exchange struct {
	sys   *cmwq.System
	queue *cmwq.Queue
}

func (x *exchange) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		q, err := x.sys.SpawnQueue(c, "calls", cmwq.Supervise(calls))
		if err != nil {
			panic(err)
		}
		x.queue = q
	case string: // a number; it is the key, so that a dead letter says which
		call := cmwq.Submit(x.queue.Keyed(m), func(ctx *cmwq.Context) (string, error) { return dial(ctx, m) })
		cmwq.PipeTo(c, call, c.Sender()) // after the last attempt
	}
}

// Work that fails is retried, kept as a dead letter, or escalated: then the supervisor
// strategy of the parent decides, as about any child. Resume and Restart keep all work
// that waits.
func Example_supervise() {
	quiet := func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }
	as := actor.NewActorSystem(actor.WithLoggerFactory(quiet))
	defer as.Shutdown()
	sys, err := cmwq.Start(as)
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())

	decided := make(chan string, 1)
	children := actor.NewOneForOneStrategy(10, time.Minute, func(reason any) actor.Directive {
		decided <- fmt.Sprint("restart: ", reason) // a *cmwq.EscalatedError
		return actor.RestartDirective
	})
	pid, err := as.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return &exchange{sys: sys} },
		actor.WithSupervisor(children)), "exchange")
	if err != nil {
		panic(err)
	}
	call := func(number string) *cmwq.Result[string] {
		r, err := as.Root.RequestFuture(pid, number, time.Minute).Result()
		if err != nil {
			panic(err)
		}
		return r.(*cmwq.Result[string])
	}

	fmt.Println(call("1").Value)

	fmt.Println(call("2").Err)
	q := sys.Queue("exchange/calls")
	letters, err := q.DeadLetters(context.Background())
	if err != nil {
		panic(err)
	}
	for _, l := range letters {
		fmt.Println("dead letter", l.ID, "for", l.Key, "after attempt", l.Attempts)
	}
	fmt.Println(q.Discard(letters[0].ID)) // or q.Requeue, when the cause is mended

	fmt.Println(call("3").Err)
	fmt.Println(<-decided)
	fmt.Println(call("4").Value)
	// Output:
	// call 1 attempt 1 after <nil>
	// call 1 attempt 2 after the line is busy
	// call 1 attempt 3 after the line is busy
	// hello
	// call 2 attempt 1 after <nil>
	// nobody of that number
	// dead letter 1 for 2 after attempt 1
	// 1 <nil>
	// call 3 attempt 1 after <nil>
	// the cable is cut
	// restart: cmwq: queue exchange/calls escalates: the cable is cut
	// call 4 attempt 1 after <nil>
	// hello
}
