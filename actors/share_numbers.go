package actors

import (
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// numbers are a share's own, as its pool tells them.
type numbers struct {
	policy.Seldom
	Completed        int64
	CPUTime          time.Duration
	started, arrived int64
	active, inactive int
	times            *times
}

// numbers reads them in the pool's turn; leased are at least the workers that have a
// lease of the share. policy counts a lease when it is over.
func (s *share) numbers(leased []*worker) numbers {
	n := numbers{
		Completed: s.pol.Stats.Completed, CPUTime: s.pol.Stats.CPUTime, Seldom: s.pol.Stats.Rest(),
		arrived: s.arrived, active: s.pol.Active(), inactive: s.pol.Inactive() + s.pol.Held() + riding(s, leased),
	}
	begun, ended := inLeases(s, leased)
	n.started = n.Completed + begun
	for _, w := range leased {
		if w.share == s && w.leaves != nil { // policy counts what a rescuer runs when it has left
			taken, _ := w.lease.Progress()
			n.Rescued += int64(taken)
		}
	}
	n.Completed += ended
	return n
}

func (n *numbers) addTo(sum *messages.ShareStats) {
	sum.Arrived += n.arrived
	sum.Started += n.started
	sum.Completed += n.Completed
	sum.Failed += n.Failed
	sum.Active += n.active
	sum.Inactive += n.inactive
	sum.CPUTime += n.CPUTime
	sum.CPUIntensive += n.CPUIntensive
	sum.CMWakeup += n.CMWakeup
	sum.Repatriated += n.Repatriated
	sum.Mayday += n.Mayday
	sum.Rescued += n.Rescued
}
