package policy

// Ledger is a queue's max_active when several pools serve it: it lends active
// slots to its shares in blocks, and takes them back when another share wants
// some. What all shares hold together never exceeds max_active, but for slots
// that are still in use after it was lowered.
//
// Shares come and go (Add, Retire, Remove); each is known by a small number.
type Ledger struct {
	max    int      // Q:
	held   []int    // Q: slots each share holds
	asked  []int    // Q: slots asked back of each share
	busy   []bool   // Q: has none of them to spare, and returns them as items end
	wants  []int    // Q: slots each share asked for
	heard  []int    // Q: requests of each share, ever
	seen   []int    // Q: slots that each share returned, ever
	role   []ledged // Q: what each share may get
	queue  []int    // Q: shares that wait, in order
	free   int      // Q: slots nobody holds; negative after max was lowered
	orders []Order
}

// Order is what a share must be told: first Lend, so that it activates what it
// may, and then Recall. A slot that went straight back would wander for ever; so
// what was asked back of a share is forgiven when it is lent some. What the share
// owes is told as a whole, since slots that it returned may be under way.
type Order struct {
	Share  int
	Lend   int
	Heard  int // with Lend: the requests of the share that were heard; it waits no more
	Recall int // slots asked back now
	Asked  int // and in all, less what was returned
	Seen   int // slots that were returned, ever
}

// NewLedger splits max over the shares, the remainder to the first ones.
func NewLedger(limit, shares int) *Ledger {
	l := &Ledger{max: limit}
	for i := range shares {
		l.know(i, lends)
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

// Borrow: a share has n inactive items and no slot left; 0 says that it waits no
// more, because its items were cancelled or got slots of its own.
func (l *Ledger) Borrow(share, n int) []Order {
	if n == 0 {
		l.forget(share)
		return l.settle()
	}
	if l.wants[share] == 0 && l.role[share] != plugged {
		l.queue = append(l.queue, share)
	}
	l.wants[share] = n
	l.heard[share]++
	return l.settle()
}

// Returned: a share gave slots back; 0 says that it has none to spare of those it
// was asked for.
func (l *Ledger) Returned(share, n int) []Order {
	l.held[share] -= n
	l.seen[share] += n
	l.asked[share] = max(0, l.asked[share]-n)
	l.busy[share] = l.asked[share] > 0
	l.free += n
	l.settle()
	if l.role[share] == retiring {
		l.spread()
	}
	return l.orders
}

// SetMax changes max_active. Raising lends to the shares in turn, so that
// waiting items start without any completion; lowering recalls.
func (l *Ledger) SetMax(limit int) []Order {
	l.free += limit - l.max
	l.max = limit
	l.settle()
	return l.spread()
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
	missing, waits := -l.free, len(l.queue) > 0
	if waits {
		missing = max(missing, 1)
	}
	expected := false // a slot that somebody has to spare is on its way
	for i, a := range l.asked {
		missing -= a
		expected = expected || a > 0 && !l.busy[i]
	}
	for ; missing > 0; missing-- {
		s := l.richest(l.free < 0)
		if s < 0 {
			s = l.fairest()
		}
		if s < 0 {
			return l.orders
		}
		l.recall(s)
		expected = true
	}
	if waits && !expected { // who was asked is busy: another may have one to spare
		if s := l.richest(false); s >= 0 {
			l.recall(s)
		}
	}
	return l.orders
}

// richest is the share to ask a slot back of: of those that do not wait
// themselves, and may have one to spare, or of any, the one that holds the most; -1
// if none.
func (l *Ledger) richest(waiting bool) int {
	best, most := -1, 0
	for i := range l.held {
		if h := l.net(i); h > most && (l.wants[i] == 0 && !l.spent(i) || waiting) {
			best, most = i, h
		}
	}
	return best
}

// fairest is the share to ask if all that hold any wait: the one that holds at
// least two more than the poorest, or any if one waits with none; -1 if none.
func (l *Ledger) fairest() int {
	best, most := -1, 0
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

func (l *Ledger) recall(share int) {
	l.asked[share]++
	l.busy[share] = false
	o := l.order(share)
	o.Recall++
	o.Asked, o.Seen = l.asked[share], l.seen[share]
}

// spent: the share was asked, and has nothing to spare.
func (l *Ledger) spent(share int) bool { return l.busy[share] && l.asked[share] > 0 }

// net is what a share holds and was not asked to give back.
func (l *Ledger) net(share int) int { return l.held[share] - l.asked[share] }

func (l *Ledger) lend(share, n int) {
	l.free -= n
	l.held[share] += n
	o := l.order(share)
	o.Lend += n
	o.Heard, o.Asked, o.Seen = l.heard[share], 0, l.seen[share]
	l.asked[share], l.busy[share] = 0, false
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
