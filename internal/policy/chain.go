package policy

// Chain is one key's part of a share: its items run one at a time and in order.
// The first of them is an item of the share like any other: it waits on the
// worklist or is inactive, is leased, holds a slot. Those behind it are held: they
// have no slot, want none, and nobody starts a worker for them.
//
// The kernel's io-wq hashes such work into 64 chains, so that unrelated items may
// wait for each other; here each key has a chain of its own, as long as it has
// items.
//
// Invariants, checked after every step in tests:
//   - a chain with held items has a first one;
//   - a share's held items are those of its chains.
type Chain struct {
	first bool // P: an item of it is listed, parked or leased, or in an older share
	held  int  // P: items behind it
	older int  // P: shares that may have older items of the key
}

// Held is the number of items behind the first.
func (c *Chain) Held() int { return c.held }

// Idle says whether the key has no item: nothing of it need be kept.
func (c *Chain) Idle() bool { return !c.first && c.held == 0 }

// Held is the number of items that wait for one of their key.
func (s *Share) Held() int { return s.held }

// ArriveKeyed counts in an item with a key. It is held if its key has a first
// item; else it is that, and goes where an item without a key would go.
func (p *Pool) ArriveKeyed(s *Share, c *Chain) (held, active bool) {
	if !c.first {
		c.first = true
		return false, p.Arrive(s, 1) == 1
	}
	s.Epoch.arrive(1)
	c.held++
	s.held++
	return true, false
}

// Follow says that a chain's first item has ended, or was taken off: the oldest
// held item, if there is one, is first now, and stands last in the share. So keys
// that want slots get them in turn.
func (p *Pool) Follow(s *Share, c *Chain) (follows, active bool) {
	if c.held == 0 {
		c.first = false
		return false, false
	}
	c.held--
	s.held--
	if s.inactive == 0 && s.free() > 0 {
		p.activate(s, 1)
		return true, true
	}
	s.inactive++
	return true, false
}

// Unhold counts out a held item that is cancelled.
func (p *Pool) Unhold(s *Share, c *Chain) {
	c.held--
	s.held--
}

// OfferKeyed is Offer for a chain whose first item is the worklist's head: that
// one, and behind it as many held ones as run in the lease target. Nobody else
// could run them meanwhile.
func (p *Pool) OfferKeyed(s *Share, c *Chain) (o Offer, ok bool) {
	o, ok = p.Offer(s)
	o.Active, o.Riders = 1, 0
	if s.item > 0 && !s.intensive && !s.frozen && !s.paced {
		o.Riders = min(LeaseMax, int(LeaseTarget/s.item)) - 1
	}
	o.Riders = min(max(0, o.Riders), c.held)
	return o, ok
}

// LeaseKeyed records that the offer's worker was given a chain's first item and so
// many held ones. No tick looks whether the lease gets old: its rest could go to
// nobody else.
func (p *Pool) LeaseKeyed(w *Worker, s *Share, c *Chain, riders int) {
	p.Lease(w, s, 1, 0)
	w.chain = c
	c.held -= riders
	s.held -= riders
}

// rideBack counts the riders of a lease back to where they came from.
func (w *Worker) rideBack(n int) {
	if w.chain == nil {
		w.share.inactive += n
		return
	}
	w.chain.held += n
	w.share.held += n
}

// ShrinkKeys says whether to make a map of n keys anew that has held most: a map
// keeps the memory of what was deleted. It happens once for many deletions.
func ShrinkKeys(n, most int) bool { return most >= 1024 && n <= most/16 }
