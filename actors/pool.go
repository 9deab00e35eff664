package actors

import (
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq/internal/invariants"
	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// pool is the actor of one worker pool. Its mailbox takes the place of the
// kernel's pool lock: what it owns changes in its turn alone.
type pool struct {
	sys  *System        // I:
	id   messages.Place // I:
	name string         // I: of its workers: the CPU's number, or u and the pool's
	cpu  int            // I: logical CPU, -1 if it has several
	high bool           // I: WQ_HIGHPRI
	mb   mailbox        // A:
	pid  *actor.PID     // I:

	ctx      actor.Context // P: of the turn
	manager  *actor.PID    // P:
	pol      *policy.Pool  // P:
	list     list          // P: worklist: active items, oldest first
	workers  []*worker     // P: by number; nil where there is none
	table    workerTable   // A: workers, for others
	leased   []*worker     // P: those that hold a lease
	waking   *worker       // P: was idle, has a lease, has not started
	turns    uint64        // P: counts turns
	shares   []*share      // P: those that got work and whose queue has not ended
	retiring []*share      // P: of them, retired and not empty
	waits    waits         // P: who waits for pending items
	abroad   list          // P: items with a key that still run in another pool
	culling  *time.Timer   // P: the idle timer
	rescue   rescue        // P: what it takes to be rescued
	stopped  bool          // P:

	pod    cpuset.CPUSet // I: its CPUs
	node   int           // I: memory node of all of them, or policy.NoNode
	key    poolKey       // system's actor:
	refs   int           // system's actor: shares that use it
	ending bool          // P: no share uses it; it ends when it is empty
	ended  bool          // P: it has

	named atomic.Int64 // A: of its number: the actor, and items that ran when it stopped

	closing chan<- struct{} // P: told when nothing is left; no item comes any more
	closed  *messages.Item  // P: what came after the list that is being read, and is the last

	noYield atomic.Int64 // A: workers do not give way until then

	watch poolWatch        // P, but for its node: the stall watchdog
	armed bool             // P: the ticker will tick
	tick  messages.Control // A: the tick's node
	next  *pool            // ticker: next pool to tick
	free  freelist         // A: closures' items
}

type tickMsg struct{}

func newPool(sys *System, name string, cpu int, high bool, pol *policy.Pool) *pool {
	p := &pool{sys: sys, name: name, cpu: cpu, high: high, pol: pol, waits: waits{}}
	p.named.Store(1)
	p.tick.Init(tickMsg{})
	p.watch.node.Init(watchMsg{})
	p.mb.rest = p.rest
	if pol.Kind() == policy.Managed {
		p.mb.clock = sys.nanos
	}
	return p
}

func (p *pool) mail() *mailbox { return &p.mb }

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
		p.control(it.Ext.Msg)
		it = next
	}
}

func (p *pool) control(msg any) {
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

// settle ends a turn: give out what may start, and see to it that somebody looks
// again at what may not.
func (p *pool) settle() {
	if p.stopped {
		return
	}
	if p.pol.Recovered() {
		p.relieve()
	}
	p.grant()
	if p.rescue.reclaim > 0 {
		p.watchShortage()
	}
	if len(p.retiring) > 0 {
		p.retireIdle()
	}
	if p.pol.Waiting() == 0 {
		p.pol.Drained()
		if p.mb.since.Load() != 0 {
			p.mb.since.Store(0)
		}
	} else if p.pol.Kind() == policy.Managed {
		p.age()
	}
	if p.pol.Waiting() > 0 && !p.watch.on {
		p.watched()
	}
	if p.closing != nil && p.empty() {
		close(p.closing)
		p.closing = nil
	}
	if p.ending && p.empty() {
		p.end()
	}
	if !p.armed && p.pol.NeedTick() {
		p.armed = true
		p.sys.ticker.arm(p)
	}
	if invariants.Enabled {
		p.verify()
	}
}

// rest says whether pushes need a turn until the next one.
func (p *pool) rest() int32 {
	if p.pol.Kind() == policy.Fixed && len(p.leased) > 0 {
		return quiet // its worker will take what comes, and nobody else could
	}
	if p.armed && (p.pol.Waiting() > 0 || p.pol.Running() >= p.pol.Width()) {
		return quiet // a Done or the tick will read the list
	}
	if p.pol.Kind() == policy.BH && p.pol.Waiting() > 0 {
		return quiet // the runner's Done will
	}
	if p.waking != nil {
		if p.waking.lease.Started() == 0 {
			return wake
		}
		p.waking = nil
	}
	return idle
}
