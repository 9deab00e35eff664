package cmwq

import (
	"context"
	"errors"
)

// member is one function of a group. It stands in for its future where the engine
// asks what an item is: the future's methods are its own.
type member[T any] struct {
	*Future[T]
	g    *Group[T]
	held bool // under g.mu: beyond the limit
}

// add makes a member and queues it, if the limit allows.
func (g *Group[T]) add(f func(*Context) (T, error), result bool) *Future[T] {
	fut := &Future[T]{f: f}
	m := &member[T]{Future: fut, g: g}
	fut.work.Func = runFuture
	fut.ext.Msg = m
	fut.work.item.Extend(&fut.ext)
	g.mu.Lock()
	if result {
		g.results = append(g.results, fut)
	}
	if why := g.err; why != nil {
		g.mu.Unlock()
		fut.Dropped(cancelledError(why))
		return fut
	}
	g.live[m] = struct{}{}
	if m.held = !g.pol.Join(); m.held {
		g.held = append(g.held, m)
	}
	goes := !m.held
	if g.unwatch == nil {
		g.unwatch = context.AfterFunc(g.ctx, func() { g.fail(context.Cause(g.ctx)) })
	}
	g.mu.Unlock()
	fut.then(m.ended)
	if goes {
		m.queue(g.q, false)
	}
	return fut
}

// queue queues it, on a bounded queue as soon as there is room. inside says that the
// caller is a member about to end: it must not wait, for it has a slot of the queue.
func (m *member[T]) queue(q Queuer, inside bool) {
	if inside {
		q = chained(q)
	}
	var err error
	switch {
	case m.f == nil:
		err = ErrNoFunc
	case m.g.ctx.Err() != nil:
		err = context.Cause(m.g.ctx)
	default:
		err = q.Queue(&m.work)
	}
	if to, ok := q.(ContextQueuer); ok && errors.Is(err, ErrFull) {
		if inside {
			go m.queueWhenRoom(to)
			return
		}
		m.queueWhenRoom(to)
		return
	}
	if err != nil {
		m.Dropped(err)
	}
}

// queueWhenRoom waits for room, while the group goes on.
func (m *member[T]) queueWhenRoom(q ContextQueuer) {
	if err := q.QueueContext(m.g.goesOn(), &m.work); err != nil {
		m.Dropped(err)
	}
}

// run is the item's function. A member of a group that has ended since it was queued
// does not begin; one that is a dead letter, and was queued anew, does.
func (m *member[T]) run(ctx *Context) error {
	if why := m.g.cause(); why != nil && m.state.Load() != resolved {
		m.Dropped(why)
		return nil
	}
	err := m.Future.run(ctx)
	if err == nil {
		m.g.next(true)
	}
	return err
}

// Cause is the cause of the context of a member that runs when the group ends.
func (m *member[T]) Cause() error { return m.g.cause() }

// Dropped resolves a member that will not run: after the group's end because of that.
func (m *member[T]) Dropped(err error) {
	if why := m.g.cause(); why != nil {
		err = cancelledError(why)
	}
	m.Future.Dropped(err)
}

// ended counts out a member whose result is there. It may be called in a pool's turn.
func (m *member[T]) ended() {
	g := m.g
	g.fail(m.err)
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.live, m)
	g.pol.Left(m.held)
	if g.pol.Members() > 0 {
		return
	}
	if g.zero != nil {
		close(g.zero)
		g.zero = nil
	}
	g.unwatch()
	g.unwatch = nil
	if g.end != nil {
		g.end(nil)
		g.wait, g.end = nil, nil
	}
}

// chained is the queue as its own items see it: they may queue while it drains.
func chained(q Queuer) Queuer {
	switch q := q.(type) {
	case *Queue:
		return &Queue{q: q.q, sys: q.sys, chained: true}
	case *Keyed:
		return &Keyed{k: q.k, chained: true}
	case *View:
		return &View{chained(q.q).(*Queue), q.carrier}
	case *KeyedView:
		return &KeyedView{chained(q.k).(*Keyed), q.carrier}
	case *Pipe:
		return &Pipe{chained(q.q).(*Queue), q.pid}
	case *After:
		a := *q
		a.chained = true
		return &a
	}
	return q
}
