package main

import (
	"context"
	"fmt"
	"io"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq"
)

// write asks a user to write a letter, again and again.
type write struct {
	letter string
	drafts int
	slow   bool
}

// user is an actor with a queue. It never blocks: its queue does what takes long.
type user struct {
	name string
	sys  *cmwq.System
	desk *desk
	jobs *cmwq.Queue
}

// Receive makes the queue when the actor starts; nothing has to end it.
func (u *user) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		q, err := u.sys.SpawnQueue(ctx, "jobs", cmwq.Shutdown(0)) // abandoned at once
		if err != nil {
			panic(err)
		}
		u.jobs = q
	case write:
		letter := u.jobs.Keyed(m.letter)
		for i := range m.drafts {
			if err := letter.Go(func(ctx *cmwq.Context) error { return u.save(ctx, m, i+1) }); err != nil {
				u.desk.lines <- fmt.Sprintf("%s: %v", u.name, err)
			}
		}
	}
}

// save is run by a worker.
func (u *user) save(ctx *cmwq.Context, m write, draft int) error {
	if m.slow {
		close(u.desk.begun)
		<-ctx.Done() // as who waits for a disk with this context
		u.desk.lines <- fmt.Sprintf("%s: draft %d %s: %v", u.name, draft, m.letter, context.Cause(ctx))
		return nil
	}
	u.desk.lines <- fmt.Sprintf("%s: draft %d %s", u.name, draft, m.letter)
	return nil
}

// desk is where a user's work can be seen.
type desk struct {
	pid   *actor.PID
	out   io.Writer
	lines chan string
	begun chan struct{} // closed when slow work has begun
}

func newDesk(out io.Writer) *desk {
	return &desk{out: out, lines: make(chan string, 10), begun: make(chan struct{})}
}

// read prints the next n lines.
func (d *desk) read(n int) {
	for range n {
		fmt.Fprintln(d.out, <-d.lines)
	}
}
