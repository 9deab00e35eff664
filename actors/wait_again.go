package actors

import "github.com/cmwq/cmwq/messages"

// lookAgain looks at an execution's waits again, for something came to be held up by
// it after they began.
func (x *itemContext) lookAgain() {
	x.waits.again.Store(false)
	for l := x.waits.list.Load(); l != nil; l = l.next {
		if d := x.deadlock(l.e); d != nil {
			select {
			case l.e.refused <- d:
			default:
			}
		}
	}
}

// lookAgain has that done, off the pool's turn, if the worker's item waits.
func (w *worker) lookAgain() {
	if x := w.context.Load(); x != nil && x.waits.naps.Load() > 0 {
		x.lookAgainSoon()
	}
}

func (x *itemContext) lookAgainSoon() {
	if !x.waits.again.Swap(true) {
		x.worker.pool.sys.disp.Schedule(x.lookAgain)
	}
}

// look tells a pool that a share's queue may have fewer slots than before; or that an
// item has a slot elsewhere, and waits until this pool has run it.
type look struct {
	share *share
	item  *messages.Item
}

func (p *pool) look(m *look) {
	if m.share != nil {
		p.lookAgain(m.share)
	} else if h := p.executes(m.item); h != nil {
		h.w.lookAgain()
	}
}

// lookAgain does so for all that may have a slot of a share, which more may wait for: as
// its items, or as items of others with which some of it is parked.
func (p *pool) lookAgain(s *share) {
	for _, w := range p.leased {
		w.lookAgain()
	}
	for it := p.abroad.first; it != nil; it = it.Next {
		if x, ok := places.get(it.State().Runner()).(*pool); ok && home(it) == s {
			x.mb.post(&messages.NewControl(&look{item: it}).Item)
		}
	}
}
