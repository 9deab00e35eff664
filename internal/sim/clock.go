package sim

import (
	"container/heap"
	"time"
)

// clock is virtual time: what is due at one instant happens in the order in
// which it was asked for, also what is asked for while that instant lasts.
type clock struct {
	now   time.Duration
	asked uint64
	due   timers
	soon  func() // before the next thing that is due
}

type timer struct {
	at  time.Duration
	seq uint64
	do  func()
}

func (c *clock) after(d time.Duration, do func()) {
	c.asked++
	heap.Push(&c.due, timer{c.now + d, c.asked, do})
}

// step makes the next thing happen, unless nothing is due by then.
func (c *clock) step(until time.Duration) bool {
	if len(c.due) == 0 || c.due[0].at > until {
		return false
	}
	t, _ := heap.Pop(&c.due).(timer)
	c.now = t.at
	t.do()
	for c.soon != nil {
		do := c.soon
		c.soon = nil
		do()
	}
	return true
}

type timers []timer

func (t *timers) Len() int      { return len(*t) }
func (t *timers) Swap(i, j int) { (*t)[i], (*t)[j] = (*t)[j], (*t)[i] }
func (t *timers) Less(i, j int) bool {
	a, b := (*t)[i], (*t)[j]
	return a.at < b.at || a.at == b.at && a.seq < b.seq
}

func (t *timers) Push(x any) {
	if v, ok := x.(timer); ok {
		*t = append(*t, v)
	}
}

func (t *timers) Pop() any {
	last := len(*t) - 1
	x := (*t)[last]
	(*t)[last].do = nil
	*t = (*t)[:last]
	return x
}
