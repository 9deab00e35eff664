package system

import (
	"context"
	"log/slog"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// A Scoped is a queue of cmwq whose CPUs are grouped by a scope, a pool for each group.
type Scoped struct{ *ours }

// NewScoped gives one on a machine of so many CPUs under one cache, whatever CPUs there
// are.
func NewScoped(cpus int, scope topology.Scope) (Scoped, error) {
	top, err := topology.Uniform(1, 1, cpus, 1)
	if err != nil {
		return Scoped{}, err
	}
	sys, err := cmwq.New(cmwq.WithLogger(slog.New(slog.DiscardHandler)), cmwq.WithTopology(top))
	if err != nil {
		return Scoped{}, err
	}
	q, err := sys.NewQueue("peers", cmwq.Affinity(scope, false))
	if err != nil {
		_ = sys.Stop(context.Background())
		return Scoped{}, err
	}
	return Scoped{&ours{sys, q}}, nil
}

// Worker gives a function that has task run once by the pool of a CPU, and waits for
// it. It is for one goroutine.
func (s Scoped) Worker(cpu int, task func()) (call func()) {
	done := make(chan struct{}, 1)
	w := cmwq.NewWork(func(*cmwq.Context) error {
		task()
		done <- struct{}{}
		return nil
	})
	return func() {
		for s.q.QueueOn(cpu, w) != nil {
			// It has ended but for its last step.
		}
		<-done
	}
}
