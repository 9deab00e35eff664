package sim

import "time"

// clock is virtual time: what is due at one instant happens in the order in
// which it was asked for, also what is asked for while that instant lasts.
type clock struct {
	now   time.Duration
	asked uint64
	due   timers
	do    []func() // by the timers' slots
	free  []int32  // slots of none
	soon  func()   // before the next thing that is due
}

func (c *clock) after(d time.Duration, do func()) {
	c.asked++
	slot := int32(len(c.do))
	if n := len(c.free); n > 0 {
		slot, c.free = c.free[n-1], c.free[:n-1]
		c.do[slot] = do
	} else {
		c.do = append(c.do, do)
	}
	c.due.push(timer{c.now + d, c.asked, slot})
}

// step makes the next thing happen, unless nothing is due by then.
func (c *clock) step(until time.Duration) bool {
	if len(c.due) == 0 || c.due[0].at > until {
		return false
	}
	t := c.due.pop()
	c.now = t.at
	do := c.do[t.slot]
	c.do[t.slot] = nil
	c.free = append(c.free, t.slot)
	do()
	for c.soon != nil {
		do := c.soon
		c.soon = nil
		do()
	}
	return true
}

// timers is a heap, the next one first. There is no pointer in it: an experiment
// moves millions of them, and the collector need not know.
type timers []timer

type timer struct {
	at   time.Duration
	seq  uint64
	slot int32
}

func (t timer) before(u timer) bool { return t.at < u.at || t.at == u.at && t.seq < u.seq }

func (t *timers) push(x timer) {
	h := append(*t, x)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !x.before(h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = x
	*t = h
}

func (t *timers) pop() timer {
	h := *t
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*t = h
	if len(h) == 0 {
		return top
	}
	i := 0
	for {
		least := 4*i + 1
		if least >= len(h) {
			break
		}
		for j := least + 1; j < min(4*i+5, len(h)); j++ {
			if h[j].before(h[least]) {
				least = j
			}
		}
		if !h[least].before(last) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = last
	return top
}
