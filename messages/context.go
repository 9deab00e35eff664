package messages

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// Context is what a work function gets. It is a context.Context: CancelWait and
// Disable of the item, Destroy of its queue and Stop of the system cancel it.
//
// It belongs to the goroutine that runs the function, and is valid until the
// function returns; contexts derived from it are cancelled then.
type Context struct {
	host   Host
	atomic bool                            // I: its items may not sleep
	own    atomic.Pointer[context.Context] // A: nil until somebody asks for it
}

// Host is the worker behind a Context.
type Host interface {
	Sleeping()                // the worker is about to sleep
	Blocking()                // it is about to call what may block
	Awake()                   // it runs again
	Context() context.Context // of the item that runs
	Describe(text string)     // what it is doing
	CPU() int                 // logical CPU of its pool, -1 if the pool has several
	Name() string             // kworker/...
	Owner() any               // the item's queue
	Current() (*Item, string) // the item, nil if none, and what it says it is doing
	Rescuer() bool            // it is the queue's rescuer
	Tries() *Tries            // of the item, nil if it has not failed before
	Label(key any) any        // what its goroutine's pprof labels are known by in a context

	Request(ctx context.Context, to *actor.PID, msg any) (any, error)
	Send(to *actor.PID, msg any)
	Logger() *slog.Logger // of the item
}

// NewContext gives the Context of a worker; a worker makes one.
func NewContext(h Host) *Context { return &Context{host: h} }

// Deadline, Done, Err and Value make it a context.Context.
func (c *Context) Deadline() (time.Time, bool) { return c.made().Deadline() }

// Done is closed when the item should end.
func (c *Context) Done() <-chan struct{} { return c.made().Done() }

// Err says why Done is closed; see context.Cause for more.
func (c *Context) Err() error { return c.made().Err() }

// Value looks a value up; that of ItemKey is the Context itself.
func (c *Context) Value(key any) any {
	if key == (ItemKey{}) {
		return c
	}
	if v := c.made().Value(key); v != nil {
		return v
	}
	return c.host.Label(key)
}

// Sleep pauses the item for at least d. The pool knows: another worker starts
// meanwhile. It returns early, with the cause, when the item should end.
// About 0.3 µs beside the timer. ErrAtomic, at once, in an item of a BH queue.
//
// Follows the kernel's hook in schedule(): the worker leaves the count of
// running workers, and re-enters it without waiting.
func (c *Context) Sleep(d time.Duration) error {
	if c.atomic {
		return ErrAtomic
	}
	ctx := c.made()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	c.host.Sleeping()
	defer c.host.Awake()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Block calls f, which may block: on I/O, a lock, another goroutine. The pool
// knows: another worker starts meanwhile. About 0.3 µs. A panic in f passes.
//
// While the calls of a queue take less than 50 µs in the mean, as reads do that
// find their pages in memory, no other worker starts for them; one that blocks
// after all is noticed by the next tick, within about 0.2 ms.
//
// In an item of a BH queue it panics with ErrAtomic and does not call f: the item
// fails with a *PanicError that wraps it.
func (c *Context) Block(f func()) {
	if c.atomic {
		panic(ErrAtomic)
	}
	c.host.Blocking()
	defer c.host.Awake()
	f()
}

// Await receives from ch as a declared sleep. If a value is there it says
// nothing to the pool (10 ns). A closed channel gives the zero value. It
// returns the cause when the item should end first, and ErrAtomic in an item of a
// BH queue if it would have to wait.
func Await[T any](c *Context, ch <-chan T) (T, error) {
	select {
	case v := <-ch:
		return v, nil
	default:
	}
	if c.atomic {
		var zero T
		return zero, ErrAtomic
	}
	ctx := c.made()
	c.host.Sleeping()
	defer c.host.Awake()
	select {
	case v := <-ch:
		return v, nil
	case <-ctx.Done():
		var zero T
		return zero, context.Cause(ctx)
	}
}

// Yield lets other goroutines have the CPU. It is not a sleep: the worker still
// counts as running, and no other starts.
func (c *Context) Yield() { runtime.Gosched() }

// SetDesc says what the worker is doing, for dumps; at most 31 bytes are kept,
// until the item ends.
func (c *Context) SetDesc(format string, args ...any) {
	c.host.Describe(fmt.Sprintf(format, args...))
}

// CPU is the logical CPU of the worker's pool, -1 if the pool has several.
func (c *Context) CPU() int { return c.host.CPU() }

// Worker is the worker's name: kworker/CPU:N or kworker/uPOOL:N, or bh/CPU for the
// runner of a BH pool, with H when of high priority.
func (c *Context) Worker() string { return c.host.Name() }

// Owner is the queue that the running item came from, as the engine knows it.
func (c *Context) Owner() any { return c.host.Owner() }
