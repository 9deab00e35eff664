package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

var (
	errFull     = errors.New("the van is full")
	errNoStreet = errors.New("no such street")
	errJam      = errors.New("the franking machine is jammed")
)

// strategy says what becomes of letters that fail. It is a value, asked in a turn of the
// queue's actor about each failure; work that does not fail never meets it.
var strategy = supervisor.
	When(supervisor.Is(errJam), supervisor.Escalate()).
	Else(supervisor.Retry(5, supervisor.Exponential(time.Millisecond, 100*time.Millisecond)).
		Then(supervisor.DeadLetter(1000)))

// letter is to be delivered, and bag a message with several.
type (
	letter struct {
		to   string
		full int             // how often the van is full
		jam  <-chan struct{} // if not nil: jams the machine, when this is closed
	}
	bag []letter
)

// office is an actor whose queue is its child: one van, so one letter at a time.
type office struct {
	sys  *cmwq.System
	post *post
	mail *cmwq.Queue
}

// Receive makes the queue when the actor starts, or starts again: a restart of the office
// stops its children, as protoactor has it. A restart of the queue alone is no business
// of the office's: o.mail stays good.
func (o *office) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		q, err := o.sys.SpawnQueue(ctx, "mail", cmwq.Ordered(), cmwq.Supervise(strategy))
		if err != nil {
			panic(err)
		}
		o.mail = q
	case bag:
		for _, l := range m { // the key is what a dead letter is known by
			if err := o.mail.Keyed(l.to).Go(func(ctx *cmwq.Context) error { return o.post.deliver(ctx, l) }); err != nil {
				panic(err)
			}
		}
		ctx.Respond(len(m))
	}
}

// decide is the office's supervisor strategy for its children: protoactor's, and run in
// the office's turn. Resume and Restart keep all work that waits, and what runs goes on
// meanwhile; Restart forgets what the queue's strategy has counted; Stop ends the queue,
// after it has drained for as long as cmwq.Shutdown allows.
func (p *post) decide(reason any) actor.Directive {
	if e, ok := reason.(*cmwq.EscalatedError); !ok || !errors.Is(e, errJam) {
		return actor.StopDirective
	}
	p.lines <- fmt.Sprintf("the office hears: %v", reason)
	p.lines <- "the office mends it, and restarts the queue"
	close(p.works)
	return actor.RestartDirective
}

// post is what workers deliver letters with. Only one has it at a time.
type post struct {
	lines   chan string
	streets map[string]bool // that are known
	works   chan struct{}   // closed while the franking machine does
}

// deliver is run by a worker. It knows nothing of strategies: it returns an error.
func (p *post) deliver(ctx *cmwq.Context, l letter) (err error) {
	defer func() {
		if err == nil {
			p.lines <- fmt.Sprintf("to %s, attempt %d: delivered", l.to, ctx.Attempt())
		} else {
			p.lines <- fmt.Sprintf("to %s, attempt %d: %v", l.to, ctx.Attempt(), err)
		}
	}()
	if l.jam != nil {
		_, _ = cmwq.Await(ctx, l.jam)
		p.works = make(chan struct{})
		return errJam
	}
	if _, err := cmwq.Await(ctx, p.works); err != nil {
		return err
	}
	switch {
	case ctx.Attempt() <= l.full:
		return errFull
	case !p.streets[l.to]:
		return cmwq.Permanent(errNoStreet) // no retry makes sense
	}
	return nil
}
