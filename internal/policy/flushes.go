package policy

import "math"

// Flushes is the queue's side of epochs: it joins the reports of its shares.
// Epochs complete in order. Shares come and go; each is known by a small number. The
// zero value has none.
type Flushes struct {
	next uint32   // Q: the epoch that the next flush closes
	done []uint32 // Q: for each share, epochs below this are empty; gone if there is none
	all  uint32   // Q: for all of them
}

const gone = math.MaxUint32

// NewFlushes gives the ledger of a queue with so many shares.
func NewFlushes(shares int) *Flushes { return &Flushes{done: make([]uint32, shares)} }

// Next is the epoch that a flush would close now.
func (f *Flushes) Next() uint32 { return f.next }

// Close gives the epoch that a new flush waits for; every share must be told.
func (f *Flushes) Close() uint32 {
	f.next++
	return f.next - 1
}

// Empty records that a share finished every epoch up to this one, and gives the
// number of epochs that are complete: epoch e is when e < complete.
func (f *Flushes) Empty(share int, epoch uint32) (complete uint32) {
	f.done[share] = max(f.done[share], epoch+1)
	return f.complete()
}

// Add brings a share in. Its first epoch is Next: it has nothing of earlier ones.
func (f *Flushes) Add(share int) {
	for len(f.done) <= share {
		f.done = append(f.done, gone)
	}
	f.done[share] = f.next
}

// Remove takes a share out that has nothing; nobody waits for it any more. It
// reports as Empty does.
func (f *Flushes) Remove(share int) (complete uint32) {
	f.done[share] = gone
	return f.complete()
}

func (f *Flushes) complete() uint32 {
	f.all = f.next
	for _, d := range f.done {
		f.all = min(f.all, d)
	}
	return f.all
}
