package actors

import (
	"sync"
	"sync/atomic"

	"github.com/cmwq/cmwq/messages"
)

// Closures ride on items that the library owns. A worker gives back those of a
// lease at once, a producer takes the whole list at once: one atomic operation
// each for many items, and no pop from a shared stack, hence no ABA.
const (
	slabItems = 64   // items made at once when there are none
	freeMax   = 8192 // items a pool keeps; the rest is garbage
)

// chain is a list of unused items, with its length.
type chain struct {
	first, last *messages.Item
	n           int
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
	head atomic.Pointer[messages.Item]
	n    atomic.Int64
}

// give returns a chain, and empties it.
func (f *freelist) give(c *chain) {
	if c.first == nil {
		return
	}
	first, last, n := c.first, c.last, int64(c.n)
	*c = chain{}
	if f.n.Load()+n > freeMax {
		return
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

// get gives an item for a closure.
func (f *freelist) get() *messages.Item {
	c := chains.Get().(*chain)
	if c.first == nil {
		if f.head.Load() != nil {
			f.n.Store(0)
			c.first = f.head.Swap(nil)
		}
		if c.first == nil {
			c.first = slab()
		}
	}
	it := c.first
	c.first = it.Next
	chains.Put(c)
	it.Next = nil
	return it
}

func slab() *messages.Item {
	s := new([slabItems]messages.Item)
	for i := range s {
		s[i].Kind = messages.KindCall
		if i > 0 {
			s[i-1].Next = &s[i]
		}
	}
	return &s[0]
}
