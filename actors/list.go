package actors

import "github.com/cmwq/cmwq/messages"

// list is a doubly linked list of items, threaded through them. It belongs to a
// pool's turn.
type list struct{ first, last *messages.Item }

// append puts a chain, linked both ways inside, at the end.
func (l *list) append(first, last *messages.Item) {
	first.Prev, last.Next = l.last, nil
	if l.last == nil {
		l.first = first
	} else {
		l.last.Next = first
	}
	l.last = last
}

// prepend puts one item at the front.
func (l *list) prepend(it *messages.Item) {
	it.Prev, it.Next = nil, l.first
	if l.first == nil {
		l.last = it
	} else {
		l.first.Prev = it
	}
	l.first = it
}

// remove takes an item out. Its links are cleared, so that an item which its
// user keeps does not keep its neighbours.
func (l *list) remove(it *messages.Item) {
	if it.Prev == nil {
		l.first = it.Next
	} else {
		it.Prev.Next = it.Next
	}
	if it.Next == nil {
		l.last = it.Prev
	} else {
		it.Next.Prev = it.Prev
	}
	it.Prev, it.Next = nil, nil
}

// shift takes the first item out.
func (l *list) shift() *messages.Item {
	it := l.first
	l.first = it.Next
	if l.first == nil {
		l.last = nil
	} else {
		l.first.Prev = nil
	}
	it.Next = nil
	return it
}
