package actors

import (
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// pool is the actor of one worker pool. Its mailbox takes the place of the
// kernel's pool lock: what it owns changes in its turn alone.
type pool struct {
	sys   *System        // I:
	id    messages.Place // I:
	name  string         // I: of its workers: the CPU's number, or u and the pool's
	alone []string       // I: its name, as the pools of a queue that has no other
	cpu   int            // I: logical CPU, -1 if it has several
	high  bool           // I: WQ_HIGHPRI
	mb    mailbox        // A:
	pid   *actor.PID     // I:

	ctx      actor.Context // P: of the turn
	manager  *actor.PID    // P:
	pol      *policy.Pool  // P:
	list     list          // P: worklist: active items, oldest first
	workers  []*worker     // P: by number; nil where there is none
	table    workerTable   // A: workers, for others
	leased   []*worker     // P: those that hold a lease
	trains   int           // P: leases of several shares that were given
	coupled  int           // P: of them, those that are out
	waking   *worker       // P: was idle, has a lease, has not started
	turns    uint64        // P: counts turns
	shares   []*share      // P: those that got work and whose queue has not ended
	retiring []*share      // P: of them, retired and not empty
	waits    waits         // P: who waits for pending items
	abroad   list          // P: items with a key that still run in another pool
	culling  *time.Timer   // P: the idle timer
	rescue   rescue        // P: what it takes to be rescued
	stopped  bool          // P:

	pin   *pin       // I: nil: its workers have no threads
	obs   *observers // I: the system's
	label string     // I: its name, for them

	pod    cpuset.CPUSet // I: its CPUs
	node   int           // I: memory node of all of them, or policy.NoNode
	key    poolKey       // system's actor:
	refs   int           // system's actor: shares that use it
	ending bool          // P: no share uses it; it ends when it is empty
	ended  bool          // P: it has

	named atomic.Int64 // A: of its number: the actor, and items that ran when it stopped

	closing chan<- struct{} // P: told when nothing is left; no item comes any more
	closed  *messages.Item  // P: what came after the list that is being read, and is the last

	crowd crowd

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
