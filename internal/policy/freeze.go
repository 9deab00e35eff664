package policy

// Why a share is frozen: each reason by itself is enough.
const (
	byFreeze = 1 << iota // of the system
	byPause              // of the queue
)

// Freeze takes all slots from the share's new items: what is active goes on, on the
// worklist too, and what comes is inactive. Riders of leases that are out must be
// taken back first, for they are inactive as well. (kernel: max_active is 0 while
// the system freezes)
func (s *Share) Freeze() { s.halt(byFreeze, true) }

// Thaw gives the slots back, unless the queue is paused; the caller activates.
func (s *Share) Thaw() { s.halt(byFreeze, false) }

// Pause is Freeze of one queue, and Resume its Thaw.
func (s *Share) Pause() { s.halt(byPause, true) }

// Resume gives the slots back, unless the system is frozen; the caller activates.
func (s *Share) Resume() { s.halt(byPause, false) }

func (s *Share) halt(why uint8, on bool) {
	if s.halts &^= why; on {
		s.halts |= why
	}
	s.frozen = s.halts != 0
}

// Frozen says whether the share is, by a freeze of the system.
func (s *Share) Frozen() bool { return s.halts&byFreeze != 0 }

// Paused says whether the share is frozen by a pause of its queue.
func (s *Share) Paused() bool { return s.halts&byPause != 0 }

// Still says whether a frozen share has come to rest: nothing of it is active.
func (s *Share) Still() bool { return s.frozen && s.active == 0 }
