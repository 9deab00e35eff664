package actors

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// queueActor is the actor of a queue: the max_active ledger, flush epochs and
// drain. Its mailbox takes the place of the kernel's wq->mutex.
type queueActor struct {
	q       *Queue
	ctx     actor.Context
	slots   *policy.Nodes  // Q: see ledger
	cpus    map[int]int    // Q: of each node, that may be used, for the ledger
	flushes policy.Flushes // Q:
	epochs  []epochWait    // Q: open ones, oldest first
	drain   *drainPass     // Q: nil when nobody drains
	limit   int            // Q: max_active
	shares  []*share       // Q: present and retired, oldest first
	moves   *moves         // Q: nil until other pools are to serve it: see moving

	shutdown *shutdown // Q: nil unless it was told to stop
	last     *lastWord // Q: see ending
	clerk    *clerk    // Q: nil until something was asked for by message
}

// epochWait is who waits for an epoch.
type epochWait struct {
	epoch     uint32
	recipient              // of a flush; none for a drain's pass
	told      func(uint32) // of a flush inside an item: which epoch that is
	again     bool         // items of it are in a newer epoch of another share
}

// Receive handles one request after the other; none of them waits.
func (a *queueActor) Receive(ctx actor.Context) {
	a.ctx = ctx
	if msg := ctx.Message(); a.clerk.idle() || !a.behind(msg) {
		a.receive(msg)
	}
}

func (a *queueActor) receive(msg any) {
	switch m := msg.(type) {
	case *messages.Flush:
		a.flush(m)
	case *messages.Forget:
		a.forget(m.Done)
	case *messages.EpochEmpty:
		a.drain.hears(m)
		if m.Moved {
			a.again() // whichever of them the new share had closed before the item came
		}
		a.complete(a.flushes.Empty(m.Share, m.Epoch))
	case *messages.Drain:
		a.onDrain(m)
	case *messages.Destroy:
		a.onDestroy(m)
	case *disarmed:
		a.onDisarmed(m)
	case *messages.SetMaxActive:
		a.waits(m, m.Done).answer(a.setMaxActive(m.N))
	case *messages.BorrowSlots:
		a.order(a.ledger().Borrow(m.Share, m.N))
	case *messages.SlotsReturned:
		if s, l := a.share(m.Share), a.ledger(); l != nil && s != nil && s.room == nil { // else a retired share has no use for its limit
			a.order(l.Returned(m.Share, m.N))
		}
	case *actor.Started:
		a.startRescuer()
	case *fix, *reshape:
		a.change(m)
	case *calm:
		a.nextChange()
	case *setRate:
		a.onSetRate(m)
	case *pauseMsg:
		m.reply <- a.pause()
	case *resumeMsg:
		a.resume()
		reply(m.done, nil)
	case *setMinActive:
		a.setMinActive(m)
	case *shareIdle:
		a.onIdle(m)
	case *hadTurn:
		a.onTurn()
	case *shareGone:
		a.onGone(m)
	case *messages.Failed:
		a.onFailed(m)
	case *actor.Restarting:
		a.q.sup.forget() // that is all that a restart changes
	case *listDead:
		m.reply <- a.q.sup.letters().snapshot()
	case *takeDead:
		a.onTakeDead(m)
	case *giveDead:
		a.onGiveDead(m)
	case *actor.Stopping:
		a.stop()
	case *actor.Stopped:
		a.stopped()
	default:
		a.receiveEnd(m)
	}
}

func reply(to chan<- error, err error) {
	if to != nil {
		to <- err
	}
}

// post sends a control message to the pool of a share.
func (q *Queue) post(s *share, msg any) bool {
	_, ok := s.pool.mb.post(&messages.NewControl(msg).Item)
	return ok
}

// closeEpoch starts a flush: each share is told once, whatever it holds.
func (a *queueActor) closeEpoch(who recipient, told func(uint32)) {
	w := epochWait{epoch: a.flushes.Close(), recipient: who, told: told}
	a.epochs = append(a.epochs, w)
	if told != nil {
		told(w.epoch)
	}
	for _, s := range a.shares {
		if !a.q.post(s, &messages.CloseEpoch{Share: s}) {
			a.stop() // the pools are gone, and with them everything
			return
		}
	}
}

// complete releases who waits for epochs below n, oldest first.
func (a *queueActor) complete(n uint32) {
	for len(a.epochs) > 0 && a.epochs[0].epoch < n {
		w := a.epochs[0]
		if a.epochs = a.epochs[1:]; len(a.epochs) == 0 {
			a.epochs = nil // and with it who was answered
		}
		switch {
		case w.nobody():
			a.endPass()
		case w.again:
			a.closeEpoch(w.recipient, w.told)
		default:
			w.answer(nil)
		}
	}
}

func (a *queueActor) setMaxActive(n int) error {
	if err := noLimit(a.q.opts.Kind); err != nil {
		a.q.sys.log.Warn("max_active is not to be changed", "queue", a.q.name, "asked", n, "err", err)
		return err
	}
	limit, clamped := policy.ClampMaxActive(n)
	if clamped {
		a.q.sys.log.Warn("max_active out of range", "queue", a.q.name, "asked", n, "is", limit)
	}
	l := a.ledger() // it begins with what the shares have now
	a.q.gets().max.Store(int64(limit))
	a.limit = limit
	if l == nil { // per-CPU: the limit is each pool's
		for _, s := range a.shares {
			if s.room == nil {
				a.q.post(s, &setLimit{s, limit})
			}
		}
		return nil
	}
	a.splitActive()
	return nil
}

// setLimit gives a share a limit of its own.
type setLimit struct {
	share *share
	limit int
}

// order tells the shares: slots lent are used before others are asked back.
func (a *queueActor) order(orders []policy.Order) {
	for _, o := range orders {
		s := a.share(o.Share)
		a.q.post(s, &slots{s, o})
	}
}

// slots is an order of the ledger to a share.
type slots struct {
	share *share
	policy.Order
}

// stop releases everyone who waits: the queue has ended, or its pools are gone, or
// going.
func (a *queueActor) stop() {
	err := messages.ErrStopped
	if a.q.flags.Load()&(finished|systemStopped) == finished {
		err = messages.ErrDestroyed
	}
	a.release(err)
}

// tell sends a message to the queue's actor from any goroutine.
func (q *Queue) tell(msg any) { q.sys.as.Root.Send(q.pid, msg) }

func (q *Queue) String() string { return fmt.Sprintf("queue %q", q.name) }
