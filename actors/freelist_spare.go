package actors

import (
	"sync"

	"github.com/cmwq/cmwq/messages"
)

// spare is a list that was full, which any producer may take. What a backlog needed is
// kept so for the next one, and it is the garbage collector that lets go of what nobody
// took in two of its cycles: no clock, and nothing to do for an item that is not
// one of a backlog.
//
// Items that are let go must not hold on to each other: they lie in slabs with others
// that are in use, and one would keep alive all that follow it. So they are in an
// array, and have no links; nor do they keep the queue that they were for.
type spare struct{ items []*messages.Item }

// spares are full, blanks are empty.
var (
	spares sync.Pool
	blanks = sync.Pool{New: func() any { return &spare{make([]*messages.Item, 0, freeMax+freeMax/4)} }}
)

// keep makes a list a spare.
func keep(it *messages.Item) {
	s := blanks.Get().(*spare)
	for it != nil {
		next := it.Next
		it.Next, it.Prev, it.Home = nil, nil, nil
		s.items = append(s.items, it)
		it = next
	}
	spares.Put(s)
}

// spared takes an item of a producer's spare.
func (c *chain) spared() *messages.Item {
	s := c.spare
	last := len(s.items) - 1
	it := s.items[last]
	s.items[last] = nil
	if s.items = s.items[:last]; last == 0 {
		c.spare = nil
		blanks.Put(s)
	}
	return it
}
