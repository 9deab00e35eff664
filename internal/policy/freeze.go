package policy

// Freeze takes all slots from the share's new items: what is active goes on, on the
// worklist too, and what comes is inactive. Riders of leases that are out must be
// taken back first, for they are inactive as well. (kernel: max_active is 0 while
// the system freezes)
func (s *Share) Freeze() { s.frozen = true }

// Thaw gives the slots back; the caller activates.
func (s *Share) Thaw() { s.frozen = false }

// Frozen says whether the share is.
func (s *Share) Frozen() bool { return s.frozen }

// Still says whether a frozen share has come to rest: nothing of it is active.
func (s *Share) Still() bool { return s.frozen && s.active == 0 }
