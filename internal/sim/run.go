package sim

import (
	"fmt"
	"math"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
)

// boot is the policy's time at the scenario's time 0: a stamp of 0 means never.
const boot = time.Second

// Run executes a scenario until all its items have ended.
func Run(s Scenario) Trace {
	p := newPool(&s)
	p.created(p.p.WorkersWanted()) // a pool at rest keeps an idle worker
	for i := range s.Items {
		it := &item{Item: &s.Items[i], rank: i, q: p.queues[s.Items[i].Queue]}
		p.after(it.At, func() { p.arrive(it) })
	}
	for range s.Busy {
		noise := &thread{left: math.MaxInt64 / 2}
		p.ready(noise)
	}
	horizon := boot + s.horizon()
	for p.ended < len(s.Items) && p.step(horizon) {
	}
	end := p.now
	for p.step(end) { // what else is due at that instant
	}
	return p.result(&s, end-boot)
}

func newPool(s *Scenario) *pool {
	c := &clock{now: boot}
	p := &pool{
		cpus:     newCPUs(c, s.CPUs, s.Quantum),
		p:        policy.NewPool(s.Kind, s.Width, s.CPUs),
		hog:      s.Hog,
		create:   s.Create,
		noGauges: s.NoGauges,
		workers:  make(map[*policy.Worker]*worker),
	}
	for i := range s.Queues {
		q := &s.Queues[i]
		p.queues = append(p.queues, &queue{Queue: q, s: policy.NewShare(q.MaxActive, q.CPUIntensive)})
	}
	return p
}

func (p *pool) result(s *Scenario, end time.Duration) Trace {
	t := p.trace
	t.Makespan, t.Burned = end, p.burned
	if p.ended < len(s.Items) && t.Err == nil {
		t.Err = fmt.Errorf("%d of %d items have not ended after %v", len(s.Items)-p.ended, len(s.Items), end)
	}
	for _, q := range p.queues {
		st := q.s.Stats.Rest()
		t.Queues = append(t.Queues, QueueTrace{q.Name, st.CMWakeup, st.CPUIntensive, q.s.Stats.Completed, q.spans})
	}
	return t
}
