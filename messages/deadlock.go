package messages

import (
	"errors"
	"fmt"
	"strings"
)

// ErrDeadlock is what every DeadlockError is, for errors.Is.
var ErrDeadlock = errors.New("cmwq: the wait would never end")

// DeadlockError refuses a wait that would never end: what the item would wait
// for waits, over no, one or several others, for the item itself.
type DeadlockError struct {
	Op    string  // what the item called: flush, cancel, wait, drain, ...
	Who   Party   // the item that called
	For   Party   // the item or the queue that it would wait for
	Chain []Party // what leads from there back to Who: executions that wait, too
}

// Party is an item or a queue that has a part in a deadlock.
type Party struct {
	Queue  string // the item's queue, or the queue itself
	Desc   string // of an item: what it said of itself with SetDesc, or ""
	Worker string // of an item that runs: kworker/...; "" for one that waits its turn, and for a queue
	Item   bool   // an item; else a queue, or the whole system if that has no name
}

func (p Party) String() string {
	switch {
	case !p.Item && p.Queue == "":
		return "the system"
	case !p.Item:
		return fmt.Sprintf("queue %q", p.Queue)
	}
	s := "an item"
	if p.Desc != "" {
		s = fmt.Sprintf("item %q", p.Desc)
	}
	s += fmt.Sprintf(" of queue %q", p.Queue)
	if p.Worker != "" {
		s += " on " + p.Worker
	}
	return s
}

func (e *DeadlockError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "cmwq: deadlock: %v would %s %v, which waits for it", e.Who, e.Op, e.For)
	for i, p := range e.Chain {
		if i == 0 {
			b.WriteString(" by way of ")
		} else {
			b.WriteString(", then ")
		}
		b.WriteString(p.String())
	}
	return b.String()
}

// Is makes it an ErrDeadlock.
func (e *DeadlockError) Is(target error) bool { return target == ErrDeadlock }
