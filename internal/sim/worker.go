package sim

import (
	"time"

	"github.com/cmwq/cmwq/internal/policy"
)

// worker executes leases. It is what the worker's actor is: it takes items one
// after the other, and tells the pool when it sleeps, wakes, and is done.
type worker struct {
	*policy.Worker
	pool *pool
	th   thread

	seq     uint64 // of its lease
	q       *queue // of its lease
	items   []*item
	active  int           // the first so many of the items hold a slot
	next    int           // items taken
	start   time.Duration // when it took the first one, 0 before
	slept   time.Duration // declared, within this lease
	asleep  bool          // until it has a CPU again
	running *item
}

// item is one execution of a scenario's item.
type item struct {
	*Item
	rank int
	q    *queue
	step int
}

func newWorker(p *pool, id int) *worker {
	w := &worker{Worker: &policy.Worker{ID: id}, pool: p}
	w.th.next = w.proceed
	return w
}

// lease hands the worker its next items; it starts when it gets a CPU.
func (w *worker) lease(items []*item, active int) {
	w.seq++
	w.q, w.items, w.active, w.next = items[0].q, items, active, 0
	w.start, w.slept = 0, 0
	w.pool.emit(items[0], Kick)
	w.pool.ready(&w.th)
}

// retract takes the unstarted rest of the lease back.
func (w *worker) retract() (active, riders []*item) {
	rest := w.items[w.next:]
	n := min(len(rest), max(0, w.active-w.next))
	w.items = w.items[:w.next]
	return rest[:n], rest[n:]
}

// proceed runs on a CPU, whenever nothing is left to burn.
func (w *worker) proceed() {
	if w.asleep {
		w.asleep = false
		w.pool.wakes(w)
	}
	for {
		if w.running == nil && !w.take() {
			w.pool.leave(&w.th)
			w.pool.done(w)
			return
		}
		it := w.running
		if it.step == len(it.Steps) {
			w.pool.emit(it, End)
			w.pool.ended++
			w.running = nil
			continue
		}
		st := it.Steps[it.step]
		it.step++
		switch st.Do {
		case Burn:
			w.pool.burned += st.For
			w.pool.burn(&w.th, st.For)
			return
		case Sleep, Block:
			w.rest(st)
			return
		}
	}
}

func (w *worker) take() bool {
	if w.next == len(w.items) {
		return false
	}
	w.running = w.items[w.next]
	w.next++
	if w.next == 1 {
		w.start = w.pool.now
	} else {
		w.pool.emit(w.running, Kick)
	}
	w.pool.emit(w.running, Start)
	return true
}

func (w *worker) rest(st Step) {
	it := w.running
	w.pool.leave(&w.th)
	if st.Do == Block {
		w.pool.emit(it, Blocked)
	} else {
		w.pool.emit(it, Slept)
		w.pool.sleeps(w)
	}
	w.pool.after(st.For, func() {
		w.pool.emit(it, Wake)
		if st.Do == Sleep {
			w.slept += st.For
			w.asleep = true
		}
		w.pool.ready(&w.th)
	})
}

// busy is the time since the lease began, less declared sleeps.
func (w *worker) busy() time.Duration {
	if w.start == 0 {
		return 0 // all of it was taken back before it began
	}
	return w.pool.now - w.start - w.slept
}

// observe tells the policy what a look at the lease sees.
func (w *worker) observe() {
	w.Observe(w.seq, w.next, len(w.items), w.start, w.pool.now)
}
