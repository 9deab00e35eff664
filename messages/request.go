package messages

import (
	"errors"
	"fmt"

	"github.com/asynkron/protoactor-go/actor"
)

// What an item hears of actors that it asks.
var (
	ErrNoActor = errors.New("cmwq: there is no such actor, or it ended before it answered")
	ErrNoItem  = errors.New("cmwq: the context is not that of an item that runs")
)

// ReplyError says that an actor's answer is not of the type that was asked for.
type ReplyError struct {
	Want string // the type
	Got  any    // the answer
}

func (e *ReplyError) Error() string {
	if err, ok := e.Got.(error); ok {
		return fmt.Sprintf("cmwq: asked for %s, answered by an error: %v", e.Want, err)
	}
	return fmt.Sprintf("cmwq: asked for %s, answered by %T", e.Want, e.Got)
}

// Unwrap gives the answer if it is an error.
func (e *ReplyError) Unwrap() error {
	err, _ := e.Got.(error)
	return err
}

// Request sends msg to an actor and waits for its answer, as a declared sleep:
// another worker starts meanwhile. About 0.3 µs and 4 allocations, beside what the
// actor takes and, if it does not answer at once, the wake-up.
//
// It returns the cause when the item should end first: an answer that comes later
// is dropped. ErrNoActor, at once, if there is no such actor; within 10 ms of its
// end if it ends before it has answered, even if it has passed the request on. One
// that fails on the message, or forgets to answer, is waited for as long as the
// item has: give it a deadline. ErrAtomic in an item of a BH queue.
//
// The actor must answer the very PID that ctx.Sender gives: made anew from its
// address and id it does not say which request is meant. An actor that waits for the
// item that asks it waits for ever, which is not noticed.
func (c *Context) Request(pid *actor.PID, msg any) (any, error) {
	if c.atomic {
		return nil, ErrAtomic
	}
	return c.host.Request(c.made(), pid, msg)
}

// Send sends msg to an actor and does not wait. An item of a BH queue may.
func (c *Context) Send(pid *actor.PID, msg any) { c.host.Send(pid, msg) }
