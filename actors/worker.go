package actors

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// Phases of a worker that holds a lease.
const (
	phaseRunning = uint32(iota)
	phaseSleeping
	phaseDone
)

// doneSpin is how many looks a worker spends on its next lease before it parks,
// when another goroutine is in the turn that will grant it.
const doneSpin = 2000

// worker is the actor that runs items. While it runs one it hears nothing, as a
// kernel worker: who wants something of it asks the pool.
type worker struct {
	pool *pool          // I: but a rescuer's is P's, before a lease
	name string         // I: kworker/...
	runs messages.State // I: (as pool) what an item's state says while this worker runs it
	pid  *actor.PID     // I:
	box  workerbox      // A:

	thread *thread // I: that it is pinned to, nil if it is not

	lease   messages.Lease                // P before it is sent, then as Lease says
	noted   messages.Control              // A: the one node its notes travel on
	phase   atomic.Uint32                 // W: what it does; P: running, at a grant
	blockAt atomic.Int64                  // W: since when it may block and did not say so; 0 otherwise
	lost    atomic.Pointer[messages.Item] // A: it runs, and began to run elsewhere by way of another queue
	granted atomic.Bool                   // A: has a lease that it has not begun
	leaves  *messages.Control             // I: a rescuer's: its last word to a pool; nil for others
	context atomic.Pointer[itemContext]   // W: of the present item, if it asked for one
	asks    atomic.Pointer[requester]     // A: takes the answers of actors; nil if none was asked, or it is in use

	report   policy.Report // W before Done, P after
	failure  error         // W before Done, P after: of the last item that failed
	failedAt int           // W before Done, P after: which item of the lease that was, from 1

	ctx   *messages.Context // W: a new one after each item that made its context
	cur   *messages.Item    // W: the present item
	home  *share            // W: of the present lease
	bound *bound            // W: its queue's, to be told when an item begins; nil if it has none
	tries *messages.Tries   // W: of the present item, nil for most
	late  bool              // W: the present item had its turn too late, and its queue has a strategy
	dirty atomic.Bool       // A: the present item used its context or its description, or failed before
	desc  atomic.Pointer[string]
	onCPU time.Duration // W: has not given way since
	start time.Duration // W: of the lease
	slept time.Duration // W: in declared sleeps of the lease
	since time.Duration // W: of the declared sleep
	mute  bool          // W: it may block, and did not say so
	block bool          // W: the outermost of them is a Block
	deep  int           // W: declared sleeps it is in, one inside the other
	used  chain         // W: closures' items, to be given back

	limitsTime bool    // W: the present lease's queue limits time, or is observed
	metered    bool    // W: the present lease's items are measured
	attends    bool    // W: its time is limited, or it is of several shares
	special    bool    // W: one of these: most leases are not
	meter              // what it has measured
	timed      *timed  // W: nil before the first lease of such a queue
	extras     *extras // W: the present item has; nil for most
	spare      extras  // W: is extras when the item has any

	pol      policy.Worker  // P:
	share    *share         // P: of its lease, nil when idle
	chain    *keyChain      // P: of its lease's key, nil if it has none
	at       int            // P: index in pool.leased
	active   int            // P before the lease is sent: the first so many of it were told to be active
	doneTurn uint64         // P: the turn that read its last Done
	parked   list           // P: items that only it may take next
	passing  list           // P: items of retired shares, passed on after its lease
	flushed  *messages.Item // P: last of its lease, somebody waits for it
	flushers []waiter       // P: they
	waiters  []waiter       // P: who waits for its present item
	tell     []*tellEnd     // P: pools that wait for it

	train train // of the present lease, if it is of several shares
}

func newWorker(p *pool, id int, name string) *worker {
	w := &worker{pool: p, name: name, runs: messages.Runs(p.id, id)}
	w.pol.ID = id
	w.box.label = p.sys.label(name)
	w.noted.Init(w)
	w.ctx = messages.NewContext(w)
	return w
}

// Receive runs a lease.
func (w *worker) Receive(ctx actor.Context) {
	l, ok := ctx.Message().(*messages.Lease)
	if !ok {
		if _, stops := ctx.Message().(*actor.Stopping); stops {
			w.asksNoMore()
			w.lastLease()
		}
		return
	}
	w.take(l)
}

// lastLease reports done what the worker was told to stop before it looked at: a
// rescuer's lease may have been taken back whole, and its queue have ended since.
func (w *worker) lastLease() {
	if l := w.box.lease.Swap(nil); l != nil {
		w.take(l)
	}
}

// take runs a lease.
func (w *worker) take(l *messages.Lease) {
	w.granted.Store(false)
	if w.lost.Load() != nil {
		w.lost.Store(nil)
	}
	train := len(w.train.shares) > 0
	if train {
		w.home = w.train.shares[0]
	} else {
		w.home = w.share // the pool changes it only after Done
	}
	w.limitsTime = w.home.queue.opts.Limits.Any() || w.home.queue.watched
	if w.metered = w.home.queue.metered; w.metered {
		w.beginMeter()
	}
	w.attends = w.limitsTime || train
	w.special = w.attends || w.metered
	w.bound = w.home.queue.bound
	if w.box.label.queues {
		w.box.label.of(w.home.queue)
	}
	w.start = w.pool.sys.now()
	l.Start(max(1, int64(w.start)))
	if l.Woken {
		w.onCPU = w.start
		w.pool.mb.look()
	}
	w.slept, w.report, w.failedAt = 0, policy.Report{}, 0
	defer w.finish() // after a Goexit, too
	for !w.run(l) {
	}
}

// finish reports the lease done. If another goroutine is in the pool's turn, the
// next lease is on its way: parking at once would cost a wake-up. A worker that
// goes on at once gives way to other goroutines first, unless the lease was short:
// two workers in a row would else keep both CPUs of two from everybody.
func (w *worker) finish() {
	now := w.pool.sys.now()
	busy := max(0, now-w.start-w.slept)
	w.report.Busy, w.report.End = busy, now
	if w.metered {
		w.endMeter(now)
	}
	w.pool.free.give(&w.used)
	w.phase.Store(phaseDone)
	if w.leaves != nil {
		w.leavePool()
		return
	}
	if w.noted.Queued.Swap(true) {
		return
	}
	started := w.report.Ran > 0
	ran, ok := w.pool.mb.post(&w.noted.Item)
	switch {
	case !ok && started:
		w.pool.sys.left.Add(-1) // the pool has stopped
		w.pool.unhold()
	case ran && w.box.now == nil && now-w.onCPU >= yieldAfter:
		w.onCPU = w.pool.giveWay(now)
	case !ran && ok:
		for i := 0; i < doneSpin && !w.granted.Load(); i++ {
			w.pool.mb.status.Load()
		}
	}
}

// run takes items until the lease ends. A panic or Goexit of an item ends the
// call early: there is one deferred function a lease, none an item.
func (w *worker) run(l *messages.Lease) (ended bool) {
	defer func() {
		if !ended {
			w.broke(recover())
		}
	}()
	for {
		it := l.Take()
		if it == nil {
			w.cur = nil
			return true
		}
		w.cur = it
		w.report.Ran++
		f := it.Func // while it is pending: then it is its owner's again
		call := f
		if w.special {
			if w.attends {
				call = w.attend(it, f)
			} else if it.When != policy.SkipTime || w.report.Ran >= w.look {
				w.measure(it)
			}
		}
		if it.Kind == messages.KindCall {
			it.Func = nil
			if w.bound != nil {
				w.bound.give()
			}
			if err := call(w.ctx); err != nil {
				w.failed(it, f, err)
			} else {
				w.used.add(it)
			}
		} else {
			if it.Tries() != nil {
				w.again(it)
			}
			w.begin(it)
			if w.bound != nil {
				w.bound.give()
			}
			if err := call(w.ctx); err != nil {
				w.failed(it, f, err)
			} else {
				w.end(it)
			}
		}
		if w.dirty.Load() {
			w.clean()
		}
		if w.deep != 0 {
			w.leaked(f)
		}
	}
}

// begin sets RUNNING and clears PENDING in one operation, a full barrier: the
// function sees everything written before a Queue that found the item pending.
func (w *worker) begin(it *messages.Item) {
	for {
		s := it.State()
		if s&messages.Running != 0 {
			overtake(it, s)
		}
		if it.Swap(s, s.Started(w.runs)) {
			return
		}
	}
}

// end clears RUNNING, unless the item runs elsewhere by now, by way of another
// queue.
func (w *worker) end(it *messages.Item) {
	for {
		s := it.State()
		if !s.RunBy(w.runs) || it.Swap(s, s.Ended()) {
			return
		}
	}
}

// itemContext is the context.Context of one execution, made when it is asked for.
type itemContext struct {
	context.Context
	item   *messages.Item
	cancel context.CancelCauseFunc
	worker *worker // I:
	queue  *Queue  // I: of the item
	waits  waitState
	stops  []func() bool // I: what ends with it: timers and the like
	code   uintptr       // I: of what it calls; 0 if nobody wants to know
}
