package actors

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

// lookAgain does so for all that hold a slot of a share: more may wait for them.
func (p *pool) lookAgain(s *share) {
	if s.pol.Inactive() == 0 {
		return
	}
	for _, w := range p.leased {
		if w.share == s {
			w.lookAgain()
		}
	}
}
