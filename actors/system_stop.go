package actors

import (
	"context"
	"errors"
	"time"

	"github.com/cmwq/cmwq/messages"
)

// Stop refuses new work, cancels armed items, waits for everything queued, and
// stops every actor. When ctx ends first, contexts of running items are
// cancelled, what has not started is dropped and reported, and a *StopError says
// how much that was.
func (s *System) Stop(ctx context.Context) error {
	if x := inside(ctx); x != nil && x.worker.pool.sys == s {
		return x.itself("stop", messages.Party{})
	}
	if s.ended.Swap(true) {
		return messages.ErrStopped
	}
	s.as.Root.Send(s.root, &thawMsg{make(chan struct{}, 1)})
	s.settled(ctx)
	err := s.drainAll(ctx)
	if err == nil {
		err = s.closePools(ctx)
	}
	before := s.dropped.Load()
	s.stopActors()
	left := s.await(ctx, err != nil)
	s.cancel(messages.ErrStopped)
	if err != nil {
		err = &messages.StopError{Running: left, Dropped: int(s.dropped.Load() - before), Cause: err}
		s.log.Warn("stopped before everything was done", "err", err)
	}
	s.dog.timer.Stop()
	return errors.Join(err, s.ticker.timer.Close(), s.closeGoroutines(left))
}

// settled waits until pools that were stopped are gone, and until the system's actor
// has seen that no queue may be made any more: those that drainAll finds are all.
func (s *System) settled(ctx context.Context) {
	ready := make(chan struct{})
	s.as.Root.Send(s.root, &whenStarted{ready})
	select {
	case <-ready:
	case <-ctx.Done():
	}
}

// drainAll drains every queue at once.
func (s *System) drainAll(ctx context.Context) error {
	done := map[*Queue]chan error{}
	for q := range s.eachQueue() {
		done[q] = make(chan error, 1)
		q.raise(draining | systemStopped)
	}
	s.disarmAll()
	for q, done := range done {
		q.tell(&messages.Drain{Done: done})
	}
	for q, done := range done {
		select {
		case err := <-done:
			if err != nil && !errors.Is(err, messages.ErrDestroyed) { // of its own, and not all of it
				return err
			}
		case <-q.gone.done():
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// closePools lets run what was accepted while the queues were drained, and makes
// sure that nothing is accepted any more.
func (s *System) closePools(ctx context.Context) error {
	m := &closePools{make(chan []chan struct{}, 1)}
	s.as.Root.Send(s.root, m)
	select {
	case wait := <-m.done:
		for _, done := range wait {
			select {
			case <-done:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// grace is how long a Stop whose context ended waits for items that it cancelled.
const grace = 250 * time.Millisecond

// await waits for the actors to end, and says how many items still run.
func (s *System) await(ctx context.Context, forced bool) (running int) {
	if forced {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.Background(), grace)
		defer cancel()
	}
	select {
	case <-s.gone:
		s.awaitChildren(ctx)
	case <-ctx.Done():
	}
	return int(s.left.Load())
}

// patience is how long a Stop waits for goroutines that have nothing left to do:
// only a machine that is much too busy keeps them from their end.
const patience = 30 * time.Second

// closeGoroutines ends the dispatcher's goroutines; those of items that still
// run end with them.
func (s *System) closeGoroutines(running int) error {
	wait := patience
	if running > 0 {
		wait = grace
	}
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	err := s.disp.close(ctx)
	if running > 0 {
		return nil
	}
	return err
}

// ask sends a message to the queue's actor and waits for its answer.
func (q *Queue) ask(ctx context.Context, msg any, done chan error) error {
	q.send(msg)
	return q.answer(ctx, done, nil)
}

func (q *Queue) send(msg any) {
	if !q.isGone() {
		q.tell(msg)
	}
}

// answer waits for it. Who gives up, or is refused, says so, and is forgotten.
func (q *Queue) answer(ctx context.Context, done chan error, refused <-chan error) error {
	select {
	case err := <-done:
		return err
	case <-q.gone.done():
	case <-q.sys.gone:
	case err := <-refused:
		q.send(&messages.Forget{Done: done})
		return err
	case <-ctx.Done():
		q.send(&messages.Forget{Done: done})
		return context.Cause(ctx)
	}
	select {
	case err := <-done:
		return err
	default:
	}
	if q.sys.ended.Load() {
		return messages.ErrStopped
	}
	return messages.ErrDestroyed
}
