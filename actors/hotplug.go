package actors

import (
	"context"

	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/topology"
)

type (
	// setUp tells the pool of a CPU that it went down or up.
	setUp struct{ up bool }
	// setCPUs tells a pool how many CPUs of its pod are up.
	setCPUs struct{ n int }
)

// SetOnline says which CPUs are up. (kernel: workqueue_online_cpu, _offline_cpu)
func (s *System) SetOnline(ctx context.Context, cpus cpuset.CPUSet) error {
	cpus = cpus.Intersection(s.opts.Topology.CPUs())
	if cpus.IsEmpty() {
		return topology.ErrNoCPU
	}
	return s.setView(ctx, func(v *policy.View) { v.Online = cpus })
}

// hotplug tells every pool what changed for it.
func (a *systemActor) hotplug(was, now policy.View) {
	for p := range a.all() {
		if p.key.kind == policy.BH {
			continue // nothing of it is managed
		}
		if p.cpu >= 0 {
			if up := now.Online.Contains(p.cpu); up != was.Online.Contains(p.cpu) {
				p.mb.post(&messages.NewControl(&setUp{up}).Item)
			}
		} else if n := now.Width(p.pod); n != was.Width(p.pod) {
			p.mb.post(&messages.NewControl(&setCPUs{n}).Item)
		}
	}
}

// setUp ends or begins concurrency management; what waits starts in this turn.
func (p *pool) setUp(up bool) {
	if p.pin != nil {
		p.movePinned(up)
	}
	if up {
		p.pol.Rebind()
	} else {
		p.takeBackAll(p.pol.Disassociate())
	}
}
