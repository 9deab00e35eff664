package actors

import (
	"context"
	"errors"

	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/topology"
)

// SetAttrs changes which CPUs serve a queue that is not per-CPU, while work flows.
// What was queued before finishes where it is; nothing changes if the error is not
// nil. (kernel: apply_workqueue_attrs)
func (q *Queue) SetAttrs(ctx context.Context, change func(*policy.Attrs)) error {
	if q.opts.Kind.perCPU() {
		return messages.ErrPerCPU
	}
	if err := q.everybodys("attributes"); err != nil {
		return err
	}
	done := make(chan error, 1)
	q.sys.as.Root.Send(q.sys.root, &setAttrs{queue: q, change: change, done: done})
	return q.answer(ctx, done, nil)
}

// Attrs are those asked for; what the system allows of them may be less.
func (q *Queue) Attrs() policy.Attrs { return *q.attrs.Load() }

// SetUnboundMask changes which CPUs may serve queues that are not per-CPU.
// (kernel: workqueue_set_unbound_cpumask)
func (s *System) SetUnboundMask(ctx context.Context, mask cpuset.CPUSet) error {
	mask = mask.Intersection(s.opts.Topology.CPUs())
	if mask.IsEmpty() {
		return topology.ErrNoCPU
	}
	return s.setView(ctx, func(v *policy.View) { v.Unbound = mask })
}

// SetDefaultScope changes the scope of queues that have the default one.
// (kernel: workqueue.default_affinity_scope)
func (s *System) SetDefaultScope(ctx context.Context, scope topology.Scope) error {
	if !scope.Valid() || scope == topology.ScopeDefault {
		return messages.ErrOption
	}
	return s.setView(ctx, func(v *policy.View) { v.Scope = scope })
}

// setView changes what the system allows its queues, and waits until each of them
// has new pools.
func (s *System) setView(ctx context.Context, change func(*policy.View)) error {
	reply := make(chan viewReply, 1)
	if s.ended.Load() {
		return messages.ErrStopped
	}
	s.as.Root.Send(s.root, &setView{change: change, reply: reply})
	var r viewReply
	select {
	case r = <-reply:
	case <-s.gone:
		return messages.ErrStopped
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	for q, done := range r.changed {
		select {
		case err := <-done:
			r.err = errors.Join(r.err, err)
		case <-q.gone.done(): // it was destroyed meanwhile
		case <-s.gone:
			return messages.ErrStopped
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return r.err
}
