package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// Receive is the pool's turn.
func (p *pool) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *batch:
		p.ctx = ctx
		p.turn(m.first)
	case *actor.Started:
		p.ctx = ctx
		if p.pol.Kind() == policy.BH {
			p.spawnRunner()
		} else {
			p.manager = ctx.Spawn(p.sys.props(func() actor.Actor { return newManager(p) }))
		}
		p.settle()
	case *actor.Stopping:
		p.ctx = ctx
		p.stop()
	case *actor.Stopped:
		if !p.ended {
			p.unhold()
		}
	}
}

func (p *pool) turn(first *messages.Item) {
	p.turns++
	p.read(first)
	if last := p.closed; last != nil {
		p.closed = nil
		p.read(last)
	}
	p.settle()
}

// read takes in a list of items and messages, oldest first.
func (p *pool) read(first *messages.Item) {
	for it := first; it != nil; {
		if it.Kind != messages.KindControl {
			it = p.arrive(it)
			continue
		}
		next := it.Next // before the node can be posted again
		it.Next, it.Prev = nil, nil
		p.control(it.Msg())
		it = next
	}
}

func (p *pool) control(msg any) {
	if p.coupled > 0 {
		p.uncoupleFor(msg)
	}
	switch m := msg.(type) {
	case *worker:
		p.note(m)
	case tickMsg:
		p.onTick()
	case watchMsg:
		p.onWatch()
	case *inspectPool:
		m.reply <- p.snapshot()
	case *ask:
		p.answer(m)
	case *holdsAsk:
		m.reply <- p.holds(m)
	case *messages.WorkerReady:
		p.ready(m.Worker.(*worker))
	case cullMsg:
		p.cull()
	case *messages.CloseEpoch:
		p.closeEpoch(m.Share.(*share))
	case *slots:
		p.slots(m)
	case *borrow:
		m.share.borrows = true
		p.borrow(m.share)
	case *retire:
		p.retire(m.share)
	case *release:
		p.release(m.share)
	case *askTurn:
		m.queue.tell(&hadTurn{})
	case *passage:
		p.onPassage(m)
	case *passMsg:
		close(m.done)
	case *closeItems:
		p.closing = m.done
		p.closed = concat(p.closed, p.mb.sealItems())
	case *freezeShare:
		p.freeze(m)
	case *thawShare:
		p.thaw(m.share)
	case *setUp:
		p.setUp(m.up)
	case *setCPUs:
		p.pol.SetCPUs(m.n)
	case endPool:
		p.ending = true
		p.closed = concat(p.closed, p.mb.sealItems())
	case *setLimit:
		m.share.pol.SetLimit(m.limit)
		p.activate(m.share)
		p.lookAgain(m.share)
	case *look:
		p.look(m)
	case *messages.Detach:
		p.detach(m.Share.(*share))
	case *tellEnd:
		p.onTellEnd(m)
	case *ranAbroad:
		p.onRanAbroad(m)
	case *keyAsk:
		p.onKeyAsk(m)
	case *keyFree:
		p.onKeyFree(m.chain)
	case *messages.Inspect:
		m.Reply <- p.stats(m.Share.(*share))
	case poolMessage:
		m.read(p)
	default:
		p.rescueControl(m)
	}
}
