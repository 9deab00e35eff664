package actors

import "github.com/cmwq/cmwq/messages"

// heap is a 4-ary heap of armed items by when they are due. An item keeps its
// index in Epoch, so that cancel and re-arm are O(log n).
type heap []armedItem

type armedItem struct {
	when int64
	it   *messages.Item
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
		s[i] = s[parent]
		s[i].it.Epoch = uint32(i)
		i = parent
	}
	s[i] = x
	x.it.Epoch = uint32(i)
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
		s[i] = s[least]
		s[i].it.Epoch = uint32(i)
		i = least
	}
	s[i] = x
	x.it.Epoch = uint32(i)
}
