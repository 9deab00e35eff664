package messages

import "sync/atomic"

// Lease is a run of items of one share and epoch that a pool gives to a worker.
// The worker takes its items in order with one wait-free addition each; the pool
// takes back what was not taken with one compare-and-swap. Each worker has one
// Lease, which the pool rewrites only after the worker's Done: there is no ABA.
type Lease struct {
	cur     atomic.Uint64 // items taken << 32 | end
	started atomic.Int64  // A: when the worker started, ns since the system's start; 0: not yet
	Items   []*Item       // P: before it is sent
	Funcs   []Func        // P: what they call; while one runs its Func is its user's
	Seq     uint64        // P: number of this lease of this worker
	Active  int           // P: the first Active items hold a slot each, the rest ride
	Epoch   uint32        // P: flush epoch of all its items
	Woken   bool          // P: the worker was idle: it looks for more items when it starts
	Front   uint16        // P: so many at the front are not done with the lease: the pool is done with them
	Back    int           // P: items taken back
}

// Func is what an item calls.
type Func = func(*Context) error

// Empty makes room for the next lease.
func (l *Lease) Empty() {
	clear(l.Items)
	clear(l.Funcs)
	l.Items, l.Funcs = l.Items[:0], l.Funcs[:0]
}

// Grant readies the lease of Items for sending.
func (l *Lease) Grant() {
	l.Seq++
	l.Back, l.Front = 0, 0
	l.started.Store(0)
	l.cur.Store(uint64(len(l.Items)))
}

// Own is how many items are done when the lease is.
func (l *Lease) Own() int { return len(l.Items) - l.Back - int(l.Front) }

// Start stamps the lease. Only its worker calls it.
func (l *Lease) Start(now int64) { l.started.Store(now) }

// Started is the stamp, 0 before.
func (l *Lease) Started() int64 { return l.started.Load() }

// Take gives the next item, nil at the end. Only its worker calls it.
func (l *Lease) Take() *Item {
	v := l.cur.Add(1 << 32)
	if i := v>>32 - 1; i < v&0xffffffff {
		return l.Items[i]
	}
	return nil
}

// Progress says how many items were taken, and how many the lease has now.
func (l *Lease) Progress() (taken, end int) {
	v := l.cur.Load()
	end = int(v & 0xffffffff)
	return min(int(v>>32), end), end
}

// Retract takes back what was not taken. Only the pool calls it. The items stay
// readable in the lease until it is granted again.
func (l *Lease) Retract() []*Item {
	for {
		v := l.cur.Load()
		i, end := v>>32, v&0xffffffff
		if i >= end {
			return nil
		}
		if l.cur.CompareAndSwap(v, i<<32|i) {
			l.Back += int(end - i)
			return l.Items[i:end]
		}
	}
}

// Func is what the item that was taken last calls, nil if none was.
func (l *Lease) Func() Func {
	if taken, _ := l.Progress(); taken > 0 && taken <= len(l.Funcs) {
		return l.Funcs[taken-1]
	}
	return nil
}

// Last is the item that was taken last, nil if none.
func (l *Lease) Last() *Item {
	if taken, _ := l.Progress(); taken > 0 {
		return l.Items[taken-1]
	}
	return nil
}
