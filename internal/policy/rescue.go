package policy

import "time"

// Constants of creation failure and rescue, with the kernel's values.
const (
	MaydayFirst    = 10 * time.Millisecond  // a pool that waits for a worker for so long calls for help,
	MaydayInterval = 100 * time.Millisecond // and again this often while it waits
	CreateCooldown = time.Second            // after a creation that failed, unless a reason to try comes earlier

	// RescueBatch is how many items a rescuer runs before another share of its
	// queue has its turn. The kernel's constant is 16, but it looks after it has
	// counted: 17 pass.
	RescueBatch = 17
)

// NeedRescue says whether a rescuer may run items of the share. It helps a pool
// that is short of workers only: one that has an idle worker helps itself, and
// one whose workers run will get to its list. While the manager still tries, the
// shortage is likely to come back, so a rescuer with nothing else to do (others
// is false) stays.
//
// Follows the kernel's assign_rescuer_work.
func (p *Pool) NeedRescue(s *Share, others bool) bool {
	if s.waiting == 0 || len(p.idle) > 0 {
		return false
	}
	return p.NeedToCreateWorker() || p.creating > 0 && !others
}

// RescueSize is how many items of the share's a rescuer may lease now: active
// ones from anywhere on the worklist and, if these are all the share has there,
// riders from its inactive list.
func (p *Pool) RescueSize(s *Share) (active, riders int) {
	active = min(RescueBatch, s.waiting)
	if active == s.waiting && !s.frozen {
		riders = min(RescueBatch-active, s.inactive)
	}
	return active, riders
}

// Rescue records that a rescuer was given a lease of so many items. It never
// counts as running: it comes on top of the pool's workers, for a pool that
// cannot have more.
func (p *Pool) Rescue(w *Worker, s *Share, active, riders int) {
	p.rescuers++
	w.rescuer = true
	p.give(w, s, active, riders)
}

// Recovered says whether an idle worker could run what a rescuer has leased and
// not started: the shell then takes it back.
func (p *Pool) Recovered() bool {
	return p.rescuers > 0 && len(p.idle) > 0 && p.running < p.Width()
}

// Rescuers is the number of rescuers that hold a lease.
func (p *Pool) Rescuers() int { return p.rescuers }
