package actors

import (
	"sync"
	"sync/atomic"

	"github.com/cmwq/cmwq/internal/invariants"
	"github.com/cmwq/cmwq/messages"
)

// Closures ride on items that the library owns. A worker gives back those of a
// lease at once, a producer takes the whole list at once: one atomic operation
// each for many items, and no pop from a shared stack, hence no ABA.
//
// A list that is full becomes a spare: see there.
const (
	slabItems  = 63   // items made at once: with the header of an object, 4 kB
	largeItems = 512  // and when many are wanted: 32 kB, without a byte of waste
	smallSlabs = 16   // slabs in a row before they are large
	freeMax    = 1024 // items in a pool's list, before it becomes a spare
)

// chain is a list of unused items, with its length.
type chain struct {
	first, last *messages.Item
	n           int
	spare       *spare // a producer's: what it takes when first is nil; it is not empty
}

func (c *chain) add(it *messages.Item) {
	it.Next = c.first
	c.first = it
	if c.last == nil {
		c.last = it
	}
	c.n++
}

// chains keep what a producer took, near the CPU that took it.
var chains = sync.Pool{New: func() any { return new(chain) }}

// freelist is a pool's list of returned items, and about how many they are.
type freelist struct {
	head  atomic.Pointer[messages.Item]
	n     atomic.Int64
	slabs atomic.Int32 // made one after the other, with nothing given back between
}

// give returns a chain, and empties it.
func (f *freelist) give(c *chain) {
	if c.first == nil {
		return
	}
	first, last, n := c.first, c.last, int64(c.n)
	*c = chain{}
	if f.n.Load()+n > freeMax {
		if full := f.take(); full != nil {
			keep(full)
		}
	}
	f.n.Add(n)
	for {
		old := f.head.Load()
		last.Next = old
		if f.head.CompareAndSwap(old, first) {
			return
		}
	}
}

// take gives the whole list, nil if it is empty.
func (f *freelist) take() *messages.Item {
	if f.head.Load() == nil {
		return nil
	}
	f.n.Store(0)
	return f.head.Swap(nil)
}

// get gives an item for a closure.
func (f *freelist) get() *messages.Item {
	c := chains.Get().(*chain)
	it := c.first
	if it == nil {
		it = f.more(c)
	}
	c.first = it.Next
	chains.Put(c)
	it.Next = nil
	return it
}

// more gives a list of items: returned ones, spare ones or new ones.
func (f *freelist) more(c *chain) *messages.Item {
	if c.spare != nil {
		return c.spared()
	}
	if it := f.take(); it != nil {
		f.slabs.Store(0)
		return it
	}
	if c.spare, _ = spares.Get().(*spare); c.spare != nil {
		f.slabs.Store(0)
		return c.spared()
	}
	if f.slabs.Load() < smallSlabs || invariants.Enabled { // the race detector has sync.Pool lose chains
		f.slabs.Add(1)
		return slab(slabItems)
	}
	return slab(largeItems)
}

func slab(n int) *messages.Item {
	s := make([]messages.Item, n)
	for i := range s {
		s[i].Kind = messages.KindCall
		if i > 0 {
			s[i-1].Next = &s[i]
		}
	}
	return &s[0]
}
