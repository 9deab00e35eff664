package actors

import (
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// procsPeriod is how often at most GOMAXPROCS is looked at. It is looked at where a lease
// ends and in ticks, so that a system where nothing happens does nothing for it.
const procsPeriod = time.Second

// procs follows GOMAXPROCS, which the program may change, and which the runtime changes
// with the CPU limit of the process's cgroup. Of CPUs that were detected so many are up;
// those that were given are as they were given.
type procs struct {
	follow bool         // I:
	now    atomic.Int64 // A: as last seen
	next   atomic.Int64 // A: the system's time of the next look
}

// procsChanged tells the system's actor of another GOMAXPROCS.
type procsChanged struct {
	messages.Quiet
	n int
}

// lookAtProcs is called in turns of pools. It costs one load, and once a period what the
// gauges cost.
func (s *System) lookAtProcs(now time.Duration) {
	p := &s.procs
	next := p.next.Load()
	if int64(now) < next || !p.follow || !p.next.CompareAndSwap(next, int64(now+procsPeriod)) {
		return
	}
	g := s.source.Gauges()
	if n := int64(g.Procs); n > 0 && g.Valid && p.now.Swap(n) != n {
		s.as.Root.Send(s.root, &procsChanged{n: g.Procs})
	}
}

// onProcs takes CPUs down, or up again: the first ones are up.
func (a *systemActor) onProcs(ctx actor.Context, m *procsChanged) {
	cpus := a.sys.cpus
	online := cpuset.New(cpus[:min(m.n, len(cpus))]...)
	if online.Equals(a.view.Online) {
		return
	}
	reply := make(chan viewReply, 1)
	a.setView(ctx, &setView{change: func(v *policy.View) { v.Online = online }, reply: reply})
	if err := (<-reply).err; err != nil { // setView has answered
		a.sys.log.Warn("GOMAXPROCS has changed, and the pools could not follow",
			slog.Int("gomaxprocs", m.n), slog.Any("err", err))
	}
}
