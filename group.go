package cmwq

import (
	"context"
	"iter"
	"sync"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// Group runs functions on a queue and collects what they return, as errgroup does
// with goroutines: the first error ends the group, and Wait returns it. It has no
// goroutine of its own, unless a member beyond its limit finds a bounded queue full. Its
// methods are safe for concurrent use.
//
// When a function returns an error, panics (*PanicError) or calls Goexit (ErrGoexit),
// when the queue refuses or drops one, or the context given to NewGroup ends, those that
// have not begun are taken off the queue: their result is an error that is both
// ErrCancelled and the first error. The contexts of running ones are cancelled, with the
// first error for their cause. What is submitted later does not run.
type Group[T any] struct {
	ctx context.Context // I: NewGroup's
	q   Queuer          // I:

	mu      sync.Mutex
	pol     policy.Group
	live    map[*member[T]]struct{} // those that have not ended
	held    []*member[T]            // of them, those beyond the limit, oldest first
	results []*Future[T]
	err     error           // the first
	zero    chan struct{}   // closed when no member is left; nil: nobody waits
	unwatch func() bool     // of ctx; nil while there are no members
	wait    context.Context // ends with the group; nil: nobody waits for room
	end     context.CancelCauseFunc
}

// NewGroup gives a group of functions that run on q. When ctx ends they are cancelled;
// an item that makes a group passes its own context. T is what Submit's functions
// return.
func NewGroup[T any](ctx context.Context, q Queuer) *Group[T] {
	return &Group[T]{ctx: ctx, q: q, live: map[*member[T]]struct{}{}}
}

// Go runs f as a member that has no result beside its error.
func (g *Group[T]) Go(f func(*Context) error) {
	if f == nil {
		g.add(nil, false)
		return
	}
	g.add(func(ctx *Context) (v T, err error) { return v, f(ctx) }, false)
}

// Submit runs f as a member, whose result is the next of Results. On a bounded queue
// it waits for room, while the group's context goes on. The Future is for who wants
// this one result; Cancel of it ends the group.
func (g *Group[T]) Submit(f func(*Context) (T, error)) *Future[T] { return g.add(f, true) }

// SetLimit limits how many members are queued or run at a time; a negative number is no
// limit, which is the default. Others are held in the group, unknown to the queue, and
// queued in order as members end: neither Go nor Submit waits. It may be called at any
// time.
func (g *Group[T]) SetLimit(n int) {
	g.mu.Lock()
	g.pol.SetLimit(n)
	g.mu.Unlock()
	g.next(false)
}

// Wait waits until every member has ended, and returns the first error. When ctx ends
// first it returns context.Cause(ctx), and the group goes on. Inside an item it is a
// declared sleep, and *DeadlockError if it would never end, as Future.Wait.
func (g *Group[T]) Wait(ctx context.Context) error {
	for {
		g.mu.Lock()
		if g.pol.Members() == 0 {
			defer g.mu.Unlock()
			return g.err
		}
		if g.zero == nil {
			g.zero = make(chan struct{})
		}
		zero := g.zero
		g.mu.Unlock()
		if err := messages.MayWait(ctx); err != nil {
			return err
		}
		if err := actors.WaitAll(ctx, g.items, zero); err != nil {
			return err
		}
	}
}

// Results gives what Submit's functions returned, in the order of submission, each as
// soon as it and those before it are there. It ends behind the last that was submitted
// by then. It waits as Future.Wait with the group's context: when that ends, what is not
// there yet is its cause. It may be called again, and begins at the first.
func (g *Group[T]) Results() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for i := 0; ; i++ {
			g.mu.Lock()
			if i >= len(g.results) {
				g.mu.Unlock()
				return
			}
			fut := g.results[i]
			g.mu.Unlock()
			if !yield(fut.Wait(g.ctx)) {
				return
			}
		}
	}
}

// items are those that have been queued and have not ended.
func (g *Group[T]) items() (items []*messages.Item) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for m := range g.live {
		items = append(items, &m.work.item)
	}
	return items
}

// next queues held members as far as the limit allows. inside says that the caller is
// one, about to end.
func (g *Group[T]) next(inside bool) {
	for {
		g.mu.Lock()
		if len(g.held) == 0 || !g.pol.Next() {
			g.mu.Unlock()
			return
		}
		m := g.held[0]
		g.held[0] = nil
		g.held = g.held[1:]
		m.held = false
		g.mu.Unlock()
		m.queue(g.q, inside)
	}
}
