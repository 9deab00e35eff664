package actors

import (
	"context"
	"time"

	"github.com/cmwq/cmwq/messages"
)

// came tells that the queue has taken an item, which goes to s; where it runs already, it
// goes there. The item is the caller's, who has not listed it: so nobody tells of its
// start before.
func (q *Queue) came(s *share, cpu int, it *messages.Item, now time.Duration) {
	o := q.sys.obs
	if !o.want(messages.EventQueue) {
		return
	}
	if st := it.State(); it.Kind == messages.KindWork && st&messages.Running != 0 && q.opts.Kind != Ordered {
		if at := q.table.Load().at(st.Runner()); at != nil {
			s = at
		}
	}
	if cpu == messages.AnyCPU {
		cpu = -1
	}
	code, values := lookInto(it, it.Func)
	e := messages.Event{Queue: q.name, Pool: s.pool.label, CPU: cpu, Attempt: attempt(it.Tries()), Submitter: values}
	e.About(it, code)
	o.tell(messages.EventQueue, now, &e)
}

// dueNow is that, of an item whose time has come. It counts as waiting since it was due.
func (q *Queue) dueNow(s *share, it *messages.Item) {
	if q.sys.obs.want(messages.EventQueue) {
		q.came(q.shareFor(it.Home, s), int(it.CPU), it, q.sys.now())
	}
}

// shareFor gives the share of a key, if that is what the item is queued for.
func (q *Queue) shareFor(home *messages.Home, s *share) *share {
	if k, ok := home.Owner.(*Keyed); ok {
		return q.table.Load().keyShare(k.hash)
	}
	return s
}

// activated tells that n items, from the first on, have come to the worklist.
func (p *pool) activated(s *share, first *messages.Item, n int) {
	if p.obs != nil {
		p.tellActive(s, first, n)
	}
}

// tellActive leaves out those of a paced share, which stay there only if they get a token:
// their worker tells.
func (p *pool) tellActive(s *share, first *messages.Item, n int) {
	if !p.obs.want(messages.EventActivate) || s.pacer != nil {
		return
	}
	now := p.sys.now()
	for it := first; n > 0; n-- {
		e := messages.Event{
			Queue: s.queue.name, Pool: p.label, CPU: p.cpu, Attempt: attempt(it.Tries()), Wait: max(0, now-time.Duration(it.When)),
		}
		e.About(it, codeOf(it, it.Func))
		p.obs.tell(messages.EventActivate, now, &e)
		it = it.Next
	}
}

// remember keeps what is active of a share that gets a bucket only now.
func (p *pool) remember(s *share) {
	if s.pacer != nil || !p.obs.want(messages.EventActivate) {
		return
	}
	for _, it := range p.listed(s) {
		if l := it.List &^ messages.Awaited; l == messages.OnWorklist || l == messages.OnParked {
			r := s.gets()
			if r.told == nil {
				r.told = map[*messages.Item]bool{}
			}
			r.told[it] = true
		}
	}
}

// remember is that, of what is taken back of a lease of a paced share.
func (w *worker) remember(rest []*messages.Item) {
	if told := w.share.has().told; told != nil && w.active > 0 && len(rest) > 0 {
		told[rest[0]] = true
	}
}

// active is how many items of a lease were told to be active; its worker tells of others.
// A lease of a paced share has one.
func (s *share) active(l *messages.Lease) int {
	if s.pacer == nil {
		return l.Active
	}
	if told := s.has().told; told != nil && told[l.Items[0]] {
		delete(told, l.Items[0])
		return 1
	}
	return 0
}

// withdrawn tells that an item was taken off by somebody who wants it gone.
func (o *observers) withdrawn(it *messages.Item) {
	if o.want(messages.EventCancel) {
		o.cancelled(it, causeOf(it))
	}
}

// cancelled tells that an item will not start, and why: nil if it is queued anew. It is
// pending still, and the caller's.
func (o *observers) cancelled(it *messages.Item, why error) {
	if o.want(messages.EventCancel) {
		o.tellCancelled(it, why)
	}
}

func (o *observers) tellCancelled(it *messages.Item, why error) {
	e := messages.Event{CPU: -1, Err: why}
	if q := queueOf(it); q != nil {
		e.Queue = q.name
	}
	switch it.Home.Owner.(type) {
	case *share, *keyChain, *lane:
		p := pushedFor(it).pool
		e.Pool, e.CPU = p.label, p.cpu
	}
	e.About(it, codeOf(it, it.Func))
	o.tell(messages.EventCancel, o.sys.now(), &e)
}

// refused tells that an item, which Modify took off the queue, is not taken anew.
func (q *Queue) refused(it *messages.Item, err error) {
	if o := q.sys.obs; o.want(messages.EventCancel) {
		e := messages.Event{Queue: q.name, CPU: -1, Err: err}
		e.About(it, codeOf(it, it.Func))
		o.tell(messages.EventCancel, q.sys.now(), &e)
	}
}

// expired tells that an item failed which was taken off, since its time was up.
func (q *Queue) expired(it *messages.Item, err error) {
	if o := q.sys.obs; o.want(messages.EventFail) {
		e := messages.Event{Queue: q.name, CPU: -1, Attempt: 1, Err: err}
		e.About(it, codeOf(it, it.Func))
		o.tell(messages.EventFail, q.sys.now(), &e)
	}
}

// attempt is which execution of an item comes next.
func attempt(t *messages.Tries) int {
	if t != nil {
		return t.Count + 1
	}
	return 1
}

// lookInto is codeOf, and gives the values that travel with the item.
func lookInto(it *messages.Item, f messages.Func) (code uintptr, values context.Context) {
	code, values = messages.Look(f)
	if c, ok := it.Msg().(messages.Caller); ok {
		code = c.Calls()
	}
	return code, values
}
