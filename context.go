package cmwq

import (
	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
)

// Context is what a work function gets. It is a context.Context, cancelled by
// CancelWait and Disable of the item, by its deadline, with its submitter, by a forced
// end of its queue and by a forced Stop; it is valid until the function returns. Its own methods:
//
//	Sleep(d time.Duration) error   // a declared sleep; another worker starts meanwhile
//	Block(f func())                // calls f, which may block, as a declared sleep
//	Request(pid, msg) (any, error) // asks an actor, as a declared sleep; see Request, typed
//	Send(pid, msg)                 // sends an actor a message
//	Yield()                        // lets other goroutines have the CPU
//	SetDesc(format string, ...)    // what the worker is doing, for dumps
//	CPU() int                      // logical CPU of its pool, -1 if it has several
//	Worker() string                // the worker's name, kworker/...
//	Logger() *slog.Logger          // with queue and worker; see Queue.With
//	Attempt() int                  // 1, or more in a retry; see Supervise
//	LastError() error              // how the execution before a retry failed
//	IsRescuer() bool               // no worker could be made; see MemReclaim
//
// Await and CurrentQueue take it, too.
type Context = messages.Context

// Await receives from ch as a declared sleep: another worker starts meanwhile. If
// a value is there already it costs about 10 ns. A closed channel gives the zero
// value. It returns context.Cause(ctx) when the item should end first.
func Await[T any](ctx *Context, ch <-chan T) (T, error) { return messages.Await(ctx, ch) }

// CurrentQueue is the queue of the item that runs, for use by that item: it
// accepts work while the queue drains.
func CurrentQueue(ctx *Context) *Queue {
	q := ctx.Owner().(*actors.Queue)
	return &Queue{q: q, chained: true, sys: &System{sys: q.System()}}
}
