package torture

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/cmwq/cmwq"
)

// op is what operators do, one at random after the other.
type op struct {
	name   string
	weight int
	do     func(w *world, r *rand.Rand)
}

// ops are those on items and queues; those that change the machine or the queues
// under them are in live_test.go.
var ops = []op{
	{"Queue", 60, func(w *world, r *rand.Rand) {
		it := w.item(r)
		w.accept(&it.account, "Queue", w.queue(it, r).Queue(it.Work))
	}},
	{"QueueOn", 20, func(w *world, r *rand.Rand) {
		it, cpu := w.item(r), r.IntN(w.cpus)
		w.accept(&it.account, "QueueOn", w.queue(it, r).QueueOn(cpu, it.Work))
	}},
	{"QueueAfter", 20, func(w *world, r *rand.Rand) {
		it := w.item(r)
		w.accept(&it.account, "QueueAfter", w.queue(it, r).QueueAfter(it.delay(r), it.Work))
	}},
	{"Queue by key", 20, func(w *world, r *rand.Rand) {
		it := w.item(r)
		w.accept(&it.account, "Keyed.Queue", w.queue(it, r).Keyed(r.IntN(numKeys)).Queue(it.Work))
	}},
	{"QueueNode", 5, func(w *world, r *rand.Rand) {
		it := w.item(r)
		w.accept(&it.account, "QueueNode", w.queue(it, r).QueueNode(r.IntN(2), it.Work))
	}},
	{"QueueAfterOn", 5, func(w *world, r *rand.Rand) {
		it, cpu := w.item(r), r.IntN(w.cpus)
		w.accept(&it.account, "QueueAfterOn", w.queue(it, r).QueueAfterOn(cpu, it.delay(r), it.Work))
	}},
	{"ModifyOn", 5, func(w *world, r *rand.Rand) {
		it, cpu := w.item(r), r.IntN(w.cpus)
		was, err := w.queue(it, r).ModifyOn(cpu, it.delay(r), it.Work)
		it.cancel(was)
		w.accept(&it.account, "ModifyOn", err)
	}},
	{"Freeze and Thaw", 1, func(w *world, r *rand.Rand) {
		if !w.freezer.TryLock() {
			return // in a bubble no time passes while somebody waits for a mutex
		}
		defer w.freezer.Unlock()
		// An item that is active may wait for one that is frozen.
		ctx, cancel := context.WithTimeout(bg, 5*micros(r, 1000))
		defer cancel()
		w.check("Freeze", w.sys.Freeze(ctx))
		w.sys.Thaw()
	}},
	{"Modify", 15, func(w *world, r *rand.Rand) {
		it := w.item(r)
		was, err := w.queue(it, r).Modify(it.delay(r), it.Work)
		it.cancel(was)
		w.accept(&it.account, "Modify", err)
	}},
	{"Cancel", 10, func(w *world, r *rand.Rand) {
		it := w.item(r)
		it.cancel(it.Cancel())
	}},
	{"CancelWait", 10, func(w *world, r *rand.Rand) {
		it := w.item(r)
		ctx, cancel := hurry(r)
		defer cancel()
		was, err := it.CancelWait(ctx)
		it.cancel(was)
		w.check("CancelWait", err)
	}},
	{"Disable and Enable", 8, func(w *world, r *rand.Rand) {
		it := w.item(r)
		ctx, cancel := hurry(r)
		defer cancel()
		for range 1 + r.IntN(2) {
			was, err := it.Disable(ctx)
			it.cancel(was)
			w.check("Disable", err)
			defer func() {
				_, err := it.Enable()
				w.check("Enable", err)
			}()
		}
		if err := w.queue(it, r).Queue(it.Work); err == nil {
			w.t.Error("a disabled item was accepted")
		}
	}},
	{"Flush of an item", 10, func(w *world, r *rand.Rand) {
		ctx, cancel := hurry(r)
		defer cancel()
		w.check("Flush", w.item(r).Flush(ctx))
	}},
	{"Busy", 5, func(w *world, r *rand.Rand) { w.item(r).Busy() }},
	{"Every", 8, series},
	{"Go", 40, func(w *world, r *rand.Rand) {
		w.queueGo(w.place(r).now.Load(), r.Uint64())
	}},
	{"Go in a row", 8, row},
	{"Submit", 15, submit},
	{"Flush of a queue", 2, func(w *world, r *rand.Rand) {
		ctx, cancel := hurry(r)
		defer cancel()
		w.check("Flush", w.place(r).now.Load().Flush(ctx))
	}},
	{"Drain", 1, func(w *world, r *rand.Rand) {
		ctx, cancel := hurry(r)
		defer cancel()
		w.check("Drain", w.place(r).now.Load().Drain(ctx))
	}},
	{"Destroy and make again", 1, func(w *world, r *rand.Rand) {
		ctx, cancel := hurry(r)
		defer cancel()
		p := w.place(r)
		q := p.now.Load()
		err := q.Destroy(ctx)
		w.check("Destroy", err)
		if !errors.Is(err, cmwq.ErrDestroyed) { // else somebody else makes the next
			for w.sys.Queue(q.Name()) != nil { // it gave up, and the queue ends in its own time
				w.pause()
			}
			w.remake(p)
		}
	}},
	{"SetMaxActive", 4, func(w *world, r *rand.Rand) {
		p := w.place(r)
		top := kinds[p.kind].top
		if top == 0 {
			top = 100
		}
		w.check("SetMaxActive", p.now.Load().SetMaxActive(1+r.IntN(top)), cmwq.ErrOrdered, cmwq.ErrBH)
	}},
}

// all operations. Some operate, which is why init makes them.
var all []op

func init() {
	all = slices.Concat(ops, live, failing, rooms, groups, chains, views, letters, pipes, lives, jobs, pauses, looks, procs, webs, trains)
}

func (w *world) operate(r *rand.Rand) {
	all[pick(r, len(all), func(i int) int { return all[i].weight })].do(w, r)
}

// queue is where an item goes.
func (w *world) queue(it *item, r *rand.Rand) *cmwq.Queue {
	if it.at == nil {
		return w.place(r).now.Load()
	}
	return it.at.now.Load()
}

// delay is nothing, little, or so long that only a cancel ends it. What others wait for
// is not armed for so long.
func (it *item) delay(r *rand.Rand) time.Duration {
	switch r.IntN(10) {
	case 0:
		return 0
	case 1:
		if !it.brief() {
			return time.Hour
		}
	}
	return micros(r, 2000)
}

// hurry is a context that ends soon, or never.
func hurry(r *rand.Rand) (context.Context, context.CancelFunc) {
	if r.IntN(4) == 0 {
		return context.WithTimeout(bg, micros(r, 500))
	}
	return context.WithCancel(bg)
}
