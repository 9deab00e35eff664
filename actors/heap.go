package actors

import "github.com/cmwq/cmwq/messages"

// heap is a 4-ary heap of armed items by when they are due. An item keeps its
// index in Epoch. One that is cancelled is struck out, and the entry stays behind: cancel
// is O(1), and what is cheap then is paid when entries are swept out together.
type heap []armedItem

type armedItem struct {
	when int64
	it   *messages.Item // nil: struck out
}

// heapMin is how small an array does not get.
const heapMin = 64

func (h *heap) push(it *messages.Item) {
	if len(*h) == cap(*h) {
		h.resize(max(heapMin, 2*cap(*h)))
	}
	*h = append(*h, armedItem{it.When, it})
	h.up(len(*h) - 1)
}

// remove takes out the item at i.
func (h *heap) remove(i int) *messages.Item {
	s := *h
	it := s[i].it
	last := len(s) - 1
	moved := s[last]
	s[last] = armedItem{}
	*h = s[:last]
	if i < last {
		s[i] = moved
		h.settle(i)
	}
	if c := cap(s); c > heapMin && 4*last <= c {
		h.resize(c / 2)
	}
	return it
}

// resize moves the heap to an array of n. It doubles, where append would grow by a
// quarter: all arrays together are then at most four times what is armed, and not
// six; and it halves when three quarters are empty, so that a burst of timers leaves
// nothing behind.
func (h *heap) resize(n int) {
	s := make(heap, len(*h), n)
	copy(s, *h)
	*h = s
}

// fix changes when the item at i is due.
func (h *heap) fix(i int, when int64) {
	(*h)[i].when = when
	h.settle(i)
}

// strike takes out the item at i, and leaves the entry.
func (h *heap) strike(i int) *messages.Item {
	it := (*h)[i].it
	(*h)[i].it = nil
	return it
}

// sweep takes out the entries that were struck out.
func (h *heap) sweep() {
	s := *h
	n := 0
	for _, x := range s {
		if x.it != nil {
			s[n] = armedItem{x.it.When, x.it}
			x.it.Epoch = uint32(n)
			n++
		}
	}
	clear(s[n:])
	*h = s[:n]
	for i := (n - 2) / 4; i >= 0 && n > 1; i-- {
		h.down(i)
	}
	size := cap(s)
	for size > heapMin && 4*n <= size {
		size /= 2
	}
	if size < cap(s) {
		h.resize(size)
	}
}

// set puts an entry at i.
func (h *heap) set(i int, x armedItem) {
	(*h)[i] = x
	if x.it != nil {
		x.it.Epoch = uint32(i)
	}
}

func (h *heap) settle(i int) {
	if h.up(i) == i {
		h.down(i)
	}
}

func (h *heap) up(i int) int {
	s := *h
	x := s[i]
	for i > 0 {
		parent := (i - 1) / 4
		if s[parent].when <= x.when {
			break
		}
		h.set(i, s[parent])
		i = parent
	}
	h.set(i, x)
	return i
}

func (h *heap) down(i int) {
	s := *h
	x := s[i]
	for {
		first := 4*i + 1
		if first >= len(s) {
			break
		}
		least := first
		for c := first + 1; c < min(first+4, len(s)); c++ {
			if s[c].when < s[least].when {
				least = c
			}
		}
		if s[least].when >= x.when {
			break
		}
		h.set(i, s[least])
		i = least
	}
	h.set(i, x)
}
