package observe

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cmwq/cmwq"
)

// Ring is an observer that keeps the last events, to be looked at when something has gone
// wrong. Telling it never allocates; its methods are safe for concurrent use.
type Ring struct {
	told  atomic.Uint64 // events ever
	slots []slot
}

// slot has one event. Two goroutines want the same one only if a whole ring of events came
// while the first of them was held up.
type slot struct {
	mu sync.Mutex
	n  uint64 // the event is the n-th; 0: none yet
	e  cmwq.Event
}

// NewRing keeps n events, at least one, of 192 bytes each.
func NewRing(n int) *Ring { return &Ring{slots: make([]slot, max(1, n))} }

// Observe keeps the event in the place of the oldest.
func (r *Ring) Observe(e cmwq.Event) {
	n := r.told.Add(1)
	e.Forget()
	s := &r.slots[n%uint64(len(r.slots))]
	s.mu.Lock()
	if n > s.n {
		s.n, s.e = n, e
	}
	s.mu.Unlock()
}

// Told is how many events there were, those that are not kept any more among them.
func (r *Ring) Told() uint64 { return r.told.Load() }

// Events gives the events that are kept, in the order in which they were told. It does not
// hold up those who tell: of what is told meanwhile some may be there, and some not.
func (r *Ring) Events() []cmwq.Event {
	type numbered struct {
		n uint64
		e cmwq.Event
	}
	all := make([]numbered, 0, len(r.slots))
	for i := range r.slots {
		s := &r.slots[i]
		s.mu.Lock()
		if s.n > 0 {
			all = append(all, numbered{s.n, s.e})
		}
		s.mu.Unlock()
	}
	slices.SortFunc(all, func(a, b numbered) int { return cmp.Compare(a.n, b.n) })
	events := make([]cmwq.Event, len(all))
	for i := range all {
		events[i] = all[i].e
	}
	return events
}

// WriteTo writes the events that are kept, a line each: the time of day, and what the
// event says of itself. The first line says how many are not kept any more, if any are.
func (r *Ring) WriteTo(w io.Writer) (int64, error) {
	events := r.Events()
	to := &counting{w: w}
	out := bufio.NewWriter(to)
	if told := r.Told(); told > uint64(len(events)) {
		fmt.Fprintf(out, "... %d events before\n", told-uint64(len(events)))
	}
	for i := range events {
		fmt.Fprintf(out, "%s %v\n", events[i].At.Format("15:04:05.000000"), events[i])
	}
	err := out.Flush()
	return to.n, err
}

// counting counts what was written.
type counting struct {
	w io.Writer
	n int64
}

func (c *counting) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
