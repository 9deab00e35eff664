package torture

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"time"

	"github.com/cmwq/cmwq"
)

// atOnce is how long whoever looks has to wait for at most, whatever the items do.
const atOnce = 15 * time.Second

// looks are operations that look at all of it.
var looks = []op{
	{"Snapshot", 2, func(w *world, r *rand.Rand) {
		w.look("Snapshot", r, func(ctx context.Context) error {
			before, err := w.sys.Snapshot(ctx)
			if err != nil {
				return err
			}
			w.consistent(before)
			time.Sleep(micros(r, 500))
			after, err := w.sys.Snapshot(ctx)
			if err != nil {
				return err
			}
			w.consistent(after)
			w.onward(before, after)
			return after.WriteMonitor(io.Discard, before)
		})
	}},
	{"Dump", 1, func(w *world, r *rand.Rand) {
		w.look("Dump", r, func(ctx context.Context) error { return w.sys.Dump(ctx, io.Discard) })
	}},
	{"WriteSections", 1, func(w *world, r *rand.Rand) {
		w.look("WriteSections", r, func(ctx context.Context) error { return w.sys.WriteSections(ctx, io.Discard) })
	}},
	{"WriteMonitor", 1, func(w *world, r *rand.Rand) {
		filter := regexp.MustCompile("child|bh")
		w.look("WriteMonitor", r, func(ctx context.Context) error { return w.sys.WriteMonitor(ctx, io.Discard, filter) })
	}},
	{"Diagnose", 2, func(w *world, r *rand.Rand) {
		w.look("Diagnose", r, func(ctx context.Context) error {
			d, err := w.sys.Diagnose(ctx)
			if err != nil {
				return err
			}
			if d.At.Before(d.Looked) || d.Took < 0 {
				w.t.Errorf("looked at %v, which took %v, for what runs at %v", d.Looked, d.Took, d.At)
			}
			for i := range d.Items {
				x := &d.Items[i]
				if x.Queue == "" || x.Pool == "" || x.Worker == "" || x.String() == "" || x.Where != nil && (x.Where.State == "" || x.Func == "") {
					w.t.Errorf("an item in flight: %+v", x)
				}
			}
			return nil
		})
	}},
	{"Stats", 4, func(w *world, r *rand.Rand) {
		q := w.place(r).now.Load()
		w.look("Stats", r, func(ctx context.Context) error {
			before, err := q.Stats(ctx)
			if err != nil {
				return err
			}
			w.plausible(q.Name(), before)
			after, err := q.Stats(ctx)
			if err != nil {
				return err
			}
			w.forward(q.Name(), before, after)
			return nil
		})
	}},
}

// look looks, and complains if that takes long. Now and then it gives up at once.
func (w *world) look(what string, r *rand.Rand, f func(context.Context) error) {
	d, late := atOnce, r.IntN(4) == 0
	if late {
		d = micros(r, 500)
	}
	ctx, cancel := context.WithTimeout(bg, d)
	defer cancel()
	err := f(ctx)
	if err == nil || late && errors.Is(err, context.DeadlineExceeded) || errors.Is(err, cmwq.ErrStopped) && what == "Stats" {
		return
	}
	w.t.Errorf("%s: %v", what, err)
}

// consistent complains of a snapshot that cannot be.
func (w *world) consistent(s *cmwq.Snapshot) {
	for i := range s.Queues {
		q := &s.Queues[i]
		w.plausible(q.Name, q.Stats)
		w.measured(q)
		for j := range q.Shares {
			if s := &q.Shares[j]; s.Queue != q.Name {
				w.t.Errorf("queue %s has a share of queue %s", q.Name, s.Queue)
			}
		}
	}
	for i := range s.Pools {
		p := &s.Pools[i]
		pending, has, may, all, idle := 0, 0, 0, true, slices.Clone(p.Idle)
		slices.Sort(idle)
		for j := range p.Shares {
			s := &p.Shares[j]
			pending += items(s.Pending)
			all = all && !slices.ContainsFunc(s.Pending, func(r cmwq.Run) bool { return r.Func == untold })
			has += w.share(s)
			may += s.Active + s.Inactive // items that have ended are among them until that is read
		}
		if p.Running < 0 || p.Running > p.Workers+len(p.Shares) || len(p.Idle) > p.Workers || len(slices.Compact(idle)) < len(p.Idle) ||
			p.Wanted < 0 || p.Hung < 0 || p.Refs < 0 || pending > p.Waiting || all && pending < p.Waiting || has > may {
			w.t.Errorf("no such pool, with %d pending, and %d items of %d: %+v", pending, has, may, p)
		}
	}
}

// share complains of a queue's share of a pool that cannot be, and says how many items it
// lists: a worker may have one of another queue next, which is that one's.
func (w *world) share(s *cmwq.ShareSnapshot) (has int) {
	has = items(s.Pending) + items(s.Held)
	for _, x := range s.InFlight {
		has += items(x.Scheduled)
		if x.Func != "" {
			has++
		}
		if x.For < 0 || x.Worker == "" || x.State == "" || x.Waiters < 0 {
			w.t.Errorf("an item in flight of queue %s: %+v", s.Queue, x)
		}
	}
	if s.Active < 0 || s.Inactive < items(s.Held) {
		w.t.Errorf("no such share: %+v", s)
	}
	x, ok := w.meters.Load(s.Queue)
	if !ok {
		return has
	}
	if k := x.(*meter).kind; k.top > 0 && !k.bh() && k.fixed == 0 && s.Active > k.top {
		w.t.Errorf("queue %s: %d active of %d: %+v", s.Queue, s.Active, k.top, s)
	}
	return has
}

// plausible complains of numbers that no queue can have.
func (w *world) plausible(name string, st cmwq.Stats) {
	if st.Total < 0 || st.Failed < 0 || st.InFlight < 0 || st.Active < 0 || st.Inactive < 0 || st.Delayed < 0 || st.CPUTime < 0 ||
		st.InFlight > int64(st.Active) || st.Failed-st.Lapsed+st.Retried > st.Total || st.Lapsed > st.Failed ||
		st.DeadLettered > st.Failed || st.DeadLost > st.DeadLettered {
		w.t.Errorf("queue %s: no such numbers: %+v", name, st)
	}
	x, ok := w.meters.Load(name)
	// What a strategy has not decided about is known to be late, and not yet to have failed.
	if ok && !x.(*meter).kind.fails && st.Active == 0 && st.WaitedOut+st.RanOut > st.Failed {
		w.t.Errorf("queue %s: more were late than have failed: %+v", name, st)
	}
}

// onward complains of queues that count backwards.
func (w *world) onward(before, after *cmwq.Snapshot) {
	for i := range before.Queues {
		b := &before.Queues[i]
		at := slices.IndexFunc(after.Queues, func(q cmwq.QueueSnapshot) bool { return q.Name == b.Name })
		if at < 0 {
			continue
		}
		a := &after.Queues[at]
		w.forward(b.Name, b.Stats, a.Stats)
		if a.Wait.N < b.Wait.N || a.Run.N < b.Run.N {
			w.t.Errorf("queue %s forgets what it measured: %d and %d, then %d and %d", b.Name, b.Wait.N, b.Run.N, a.Wait.N, a.Run.N)
		}
	}
}

// forward complains of numbers that have become smaller.
func (w *world) forward(name string, before, after cmwq.Stats) {
	d := after.Since(before)
	for _, n := range []int64{d.Queued, d.Total, int64(d.CPUTime), d.CPUHog, d.CMWakeup, d.Repatriated, d.Mayday, d.Rescued, d.Failed, d.Lapsed,
		d.WaitedOut, d.RanOut, d.Retried, d.DeadLettered, d.DeadLost, d.Cancelled, d.Dropped} {
		if n < 0 {
			w.t.Errorf("queue %s counts backwards: %+v, then %+v", name, before, after)
			return
		}
	}
}

// items are those that runs tell of; not all, if the last says so.
func items(runs []cmwq.Run) (n int) {
	for _, r := range runs {
		if r.Func != untold {
			n += r.N
		}
	}
	return n
}

const untold = "..."
