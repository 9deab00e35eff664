package policy

// Epochs count a share's unfinished items by flush epoch. An item belongs to
// the epoch in which it arrived. Closing an epoch starts the next; it is empty
// when every item that arrived in it, or before, is finished.
type Epochs struct {
	now  uint32 // P: the epoch that arrivals join
	from uint32 // P: those before it are empty
	n    int    // P: unfinished items of it
	open []epochCount
}

// epochCount counts the items of the epochs after the entry before, up to this
// one. All but the first of them got none, so that flush after flush with nothing
// queued between costs one entry.
type epochCount struct {
	epoch uint32
	n     int
}

// StartAt makes the first epoch of a new share that of its queue.
func (e *Epochs) StartAt(epoch uint32) { e.now, e.from = epoch, epoch }

// Now is the epoch that arrivals join.
func (e *Epochs) Now() uint32 { return e.now }

// Unfinished is the number of items of all epochs that are not finished.
func (e *Epochs) Unfinished() int {
	n := e.n
	for _, o := range e.open {
		n += o.n
	}
	return n
}

// UpTo is the number of items of an epoch and those before it that are not finished.
func (e *Epochs) UpTo(epoch uint32) (n int) {
	if int32(epoch-e.from) < 0 {
		return 0
	}
	for _, o := range e.open {
		n += o.n
		if int32(o.epoch-epoch) >= 0 {
			return n
		}
	}
	return n + e.n
}

func (e *Epochs) arrive(n int) { e.n += n }

// Close ends the present epoch. It returns the newest closed epoch that is
// empty together with all before it; ok is false if there is none to report.
func (e *Epochs) Close() (empty uint32, ok bool) {
	if last := len(e.open) - 1; last >= 0 && e.n == 0 {
		e.open[last].epoch = e.now
	} else {
		e.open = append(e.open, epochCount{e.now, e.n})
	}
	e.now++
	e.n = 0
	return e.pop()
}

// Finish counts n items of an epoch out, and reports as Close does.
func (e *Epochs) Finish(epoch uint32, n int) (empty uint32, ok bool) {
	if epoch == e.now {
		e.n -= n
		return 0, false
	}
	for i := range e.open {
		if int32(e.open[i].epoch-epoch) >= 0 { // they wrap around
			e.open[i].n -= n
			break
		}
	}
	return e.pop()
}

func (e *Epochs) pop() (empty uint32, ok bool) {
	i := 0
	for i < len(e.open) && e.open[i].n == 0 {
		empty, ok = e.open[i].epoch, true
		e.from = empty + 1
		i++
	}
	if i > 0 {
		e.open = append(e.open[:0], e.open[i:]...)
	}
	return empty, ok
}
