package policy

// Ledger is a queue's max_active when several pools serve it: it lends active
// slots to its shares in blocks, and takes them back when another share wants
// some. What all shares hold together never exceeds max_active, but for slots
// that are still in use after it was lowered.
type Ledger struct {
	max    int   // Q:
	held   []int // Q: slots each share holds
	asked  []int // Q: slots asked back of each share
	wants  []int // Q: slots each share asked for
	queue  []int // Q: shares that wait, in order
	free   int   // Q: slots nobody holds; negative after max was lowered
	orders []Order
}

// Order is what a share must be told: first Lend, so that it activates what it
// may, and then Recall. A slot that went straight back would wander for ever.
type Order struct {
	Share  int
	Lend   int
	Recall int
}

// NewLedger splits max over the shares, the remainder to the first ones.
func NewLedger(limit, shares int) *Ledger {
	l := &Ledger{max: limit, held: make([]int, shares), asked: make([]int, shares), wants: make([]int, shares)}
	for i := range l.held {
		l.held[i] = limit / shares
		if i < limit%shares {
			l.held[i]++
		}
	}
	return l
}

// Held is the number of slots a share holds.
func (l *Ledger) Held(share int) int { return l.held[share] }

// Max is max_active.
func (l *Ledger) Max() int { return l.max }

// Borrow: a share has inactive items and no slot left.
func (l *Ledger) Borrow(share, n int) []Order {
	if l.wants[share] == 0 {
		l.queue = append(l.queue, share)
	}
	l.wants[share] = max(1, n)
	return l.settle()
}

// Returned: a share gave slots back.
func (l *Ledger) Returned(share, n int) []Order {
	l.held[share] -= n
	l.asked[share] = max(0, l.asked[share]-n)
	l.free += n
	return l.settle()
}

// SetMax changes max_active. Raising lends to the shares in turn, so that
// waiting items start without any completion; lowering recalls.
func (l *Ledger) SetMax(limit int) []Order {
	l.free += limit - l.max
	l.max = limit
	orders := l.settle()
	for l.free > 0 && len(l.queue) == 0 {
		poorest := 0
		for i, h := range l.held {
			if h < l.held[poorest] {
				poorest = i
			}
		}
		orders = l.lend(poorest, (l.free+len(l.held)-1)/len(l.held))
	}
	return orders
}

// settle serves the waiting shares in order with what is free, and recalls what
// is missing from those that hold the most.
func (l *Ledger) settle() []Order {
	l.orders = l.orders[:0]
	for l.free > 0 && len(l.queue) > 0 {
		s := l.queue[0]
		n := min(l.free, max(1, min(l.wants[s], (l.free+len(l.queue)-1)/len(l.queue))))
		l.queue = l.queue[1:]
		l.wants[s] = 0
		l.lend(s, n)
	}
	missing := -l.free
	if len(l.queue) > 0 {
		missing = max(missing, 1)
	}
	for _, a := range l.asked {
		missing -= a
	}
	for ; missing > 0; missing-- {
		s := l.richest()
		if s < 0 {
			break
		}
		l.asked[s]++
		l.order(s).Recall++
	}
	return l.orders
}

// richest is the share to ask a slot back of: of those that do not wait
// themselves the one that holds the most. If all that hold any wait, it is the one
// that holds at least two more than the poorest, or any if one waits with none.
func (l *Ledger) richest() int {
	best, most := -1, 0
	for i := range l.held {
		if h := l.net(i); h > most && (l.wants[i] == 0 || l.free < 0) {
			best, most = i, h
		}
	}
	if best >= 0 {
		return best
	}
	poorest := l.max
	for _, i := range l.queue {
		poorest = min(poorest, l.net(i))
	}
	for i := range l.held {
		if h := l.net(i); h > most && (h > poorest+1 || poorest == 0) {
			best, most = i, h
		}
	}
	return best
}

// net is what a share holds and was not asked to give back.
func (l *Ledger) net(share int) int { return l.held[share] - l.asked[share] }

func (l *Ledger) lend(share, n int) []Order {
	l.free -= n
	l.held[share] += n
	l.order(share).Lend += n
	return l.orders
}

func (l *Ledger) order(share int) *Order {
	for i := range l.orders {
		if l.orders[i].Share == share {
			return &l.orders[i]
		}
	}
	l.orders = append(l.orders, Order{Share: share})
	return &l.orders[len(l.orders)-1]
}
