package cmwq

import (
	"context"
	"errors"
	"fmt"

	"github.com/cmwq/cmwq/actors"
)

// fail ends the group for a reason, unless it has ended.
func (g *Group[T]) fail(err error) {
	g.mu.Lock()
	if g.err != nil || err == nil {
		g.mu.Unlock()
		return
	}
	g.err = err
	if g.end != nil {
		g.end(err)
	}
	held := g.held
	g.held = nil
	live := make([]*member[T], 0, len(g.live))
	for m := range g.live {
		live = append(live, m)
	}
	g.mu.Unlock()
	for _, m := range held {
		m.Dropped(err)
	}
	for _, m := range live {
		actors.Abort(&m.work.item)
	}
}

// goesOn is a context that ends with the group, or with its context.
func (g *Group[T]) goesOn() context.Context {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.wait == nil {
		g.wait, g.end = context.WithCancelCause(g.ctx)
		if g.err != nil {
			g.end(g.err)
		}
	}
	return g.wait
}

func (g *Group[T]) cause() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.err
}

// cancelledError is the result of a member that was taken off: ErrCancelled, and why.
func cancelledError(why error) error {
	if errors.Is(why, ErrCancelled) {
		return why
	}
	return fmt.Errorf("%w: %w", ErrCancelled, why)
}
