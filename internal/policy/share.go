package policy

import "time"

// Share is one queue's part of one pool (kernel: pool_workqueue). It belongs to
// the pool: every field is the pool actor's.
//
// Invariants, checked after every step in tests:
//   - an item of the share is waiting (on the pool's worklist), leased to a
//     worker, or inactive; inactive ones never overtake each other;
//   - active = waiting + parked + the slots of the leases that are out + coupled;
//   - active is at most the limit that applied when a slot was given, so it is
//     above the limit only after the limit was lowered;
//   - while a slot is free nothing is inactive.
type Share struct {
	limit    int // P: slots lent to this share (max_active if it is alone)
	recall   int // P: slots the queue wants back
	active   int // P: slots in use (nr_active)
	waiting  int // P: active items on the worklist
	inactive int // P: items beyond the limit
	held     int // P: items that wait for one of their key
	leased   int // P: workers that hold a lease of this share
	slots    int // P: slots of those leases
	parked   int // P: items with a slot that wait for the worker which runs them
	coupled  int // P: items in leases of several shares
	asks     int // P: requests for slots, ever
	paid     int // P: slots returned, ever

	plain     bool // I: see Plain
	intensive bool // I: CPU_INTENSIVE: one item a lease, and its worker leaves the count
	borrowed  bool // P: the queue knows that the share waits for slots
	retired   bool // P: no new items; slots that its items do not need are given back
	frozen    bool // P: no slot is free, whatever the limit
	paced     bool // P: see Pace
	shut      bool // P: paced, and no token is there

	halts uint8         // P: why it is frozen: byFreeze, byPause
	item  time.Duration // P: smoothed time of one item, 0 while unknown
	Epoch Epochs        // P: what flush waits for
	Stats Stats         // P:
}

// Stats are a share's counters, the columns of the kernel's wq_monitor.
type Stats struct {
	Completed int64         // items whose execution ended
	CPUTime   time.Duration // time on items, less declared sleeps
	seldom    *Seldom       // P: nil while all are 0
}

// Seldom are the counters of what most shares never see.
type Seldom struct {
	CPUIntensive int64 // items declared CPU hogs
	CMWakeup     int64 // wake-ups because a worker of this share blocked or hogged
	Repatriated  int64
	Mayday       int64
	Rescued      int64 // items that the rescuer ran; some that it was given, it did not come to
	Failed       int64 // items that returned an error, panicked or called Goexit
}

// Rest gives the other counters.
func (s *Stats) Rest() (rest Seldom) {
	if s.seldom != nil {
		rest = *s.seldom
	}
	return rest
}

// Seldom is where they are counted.
func (s *Stats) Seldom() *Seldom {
	if s.seldom == nil {
		s.seldom = &Seldom{}
	}
	return s.seldom
}

// NewShare gives a share with so many active slots.
func NewShare(limit int, cpuIntensive bool) *Share {
	return &Share{limit: limit, intensive: cpuIntensive}
}

// Active is the number of slots in use (nr_active).
func (s *Share) Active() int { return s.active }

// Inactive is the number of items that wait for a slot.
func (s *Share) Inactive() int { return s.inactive }

// Waiting is the number of active items on the worklist.
func (s *Share) Waiting() int { return s.waiting }

// Pending is the number of items that wait in the share, for whatever.
func (s *Share) Pending() int { return s.waiting + s.inactive + s.parked + s.held }

// Executing is the number of workers that hold a lease of this share.
func (s *Share) Executing() int { return s.leased }

// Limit is the number of slots the share may use.
func (s *Share) Limit() int { return s.limit - s.recall }

// Congested says whether new items would be inactive.
func (s *Share) Congested() bool { return s.inactive > 0 }

// Idle says whether the share has nothing at all.
func (s *Share) Idle() bool { return s.active == 0 && s.inactive == 0 && s.held == 0 }

func (s *Share) free() int {
	if s.frozen {
		return 0
	}
	return s.pace(max(0, s.limit-s.recall-s.active))
}

// learn folds n items that took d together into the smoothed item time; the
// first sample sets it.
func (s *Share) learn(n int, d time.Duration) {
	if n <= 0 {
		return
	}
	per := max(1, float64(d)/float64(n))
	if s.item == 0 {
		s.item = time.Duration(per)
		return
	}
	w := float64(n) * ewmaAlpha
	s.item = max(1, s.item+time.Duration((per-float64(s.item))*w/(1+w)))
}

// short says whether the share's items are known to be so short that a lease
// may hold several.
func (s *Share) short() bool { return s.item > 0 && s.item*2 <= LeaseTarget && !s.intensive }

// SetLimit changes max_active of a share that has a limit of its own. Lowering
// it evicts nothing.
func (s *Share) SetLimit(n int) { s.limit = n }

// Own makes n slots the share's own, when there is nobody to lend or recall any.
func (s *Share) Own(n int) { s.limit, s.recall, s.borrowed = n, 0, false }

// Lend carries out the first part of an order of the queue's ledger: more slots,
// and an answer to requests, but for one that the ledger had not heard.
func (s *Share) Lend(o Order) {
	s.limit += o.Lend
	s.borrowed = s.borrowed && o.Heard != s.asks
	s.owe(o.Asked-o.Recall, o.Seen)
}

// Recall carries out the second: so many slots are wanted back. Slots in use come
// back as their items end.
func (s *Share) Recall(o Order) { s.owe(o.Asked, o.Seen) }

func (s *Share) owe(asked, seen int) {
	s.recall = min(s.limit, max(0, asked-(s.paid-seen)))
}

// Retire says that the share gets no new items.
func (s *Share) Retire() { s.retired = true }

// Retired says whether Retire was called.
func (s *Share) Retired() bool { return s.retired }

// Keep counts in an item that came after Retire and will be passed on: a flush
// waits for it, but it holds no slot.
func (s *Share) Keep() { s.Epoch.arrive(1) }

// Surrender takes away what can be given back now, and says how much it was: what
// the queue wants back, and of a retired share what its items do not need.
func (s *Share) Surrender() int {
	n := s.recall
	if s.retired {
		n = max(n, s.limit-s.active-s.inactive)
	}
	n = min(n, max(0, s.limit-s.active))
	s.limit -= n
	s.paid += n
	s.recall = max(0, s.recall-n)
	return n
}

// Owes says whether the queue wants slots back that items of the share hold.
func (s *Share) Owes() bool { return s.recall > 0 }

// Borrow says whether the queue must be told how many slots the share waits for:
// some, or none any more. One request is outstanding at most.
func (s *Share) Borrow() (n int, tell bool) {
	switch {
	case s.borrowed && s.inactive == 0:
		s.borrowed = false
		return 0, true
	case s.borrowed || s.inactive == 0 || s.frozen || s.limit-s.recall > s.active || s.paced && s.pace(1) == 0:
		return 0, false
	}
	s.borrowed = true
	s.asks++
	return s.inactive, true
}
