package actors

import (
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/topology"
)

// layout is which CPUs get a pool for queues of a kind, and which CPU has which pool.
// It does not change: queues share it.
type layout struct {
	key    poolKey // of the pools, but for priority and CPUs
	pods   []cpuset.CPUSet
	names  []string // of the pods
	route  []uint16
	choice *choice
	cpus   map[int]int // of each node, that may be used
}

// layout works it out. That of queues without wishes is kept until the view changes:
// it takes longer than all the rest of a queue.
func (a *systemActor) layout(opts QueueOptions, attrs policy.Attrs, v policy.View) *layout {
	if attrs.Strict || attrs.Scope != topology.ScopeDefault || !attrs.CPUs.IsEmpty() || a.sys.opts.RoundRobin {
		return a.newLayout(opts, attrs, v)
	}
	l := a.layouts[opts.Kind]
	if l == nil {
		if a.layouts == nil {
			a.layouts = map[Kind]*layout{}
		}
		l = a.newLayout(opts, attrs, v)
		a.layouts[opts.Kind] = l
	}
	return l
}

func (a *systemActor) newLayout(opts QueueOptions, attrs policy.Attrs, v policy.View) *layout {
	key := poolKey{kind: policy.Managed}
	var l policy.Layout
	switch opts.Kind {
	case PerCPU, BH:
		key.kind = policy.PerCPU
		if opts.Kind == BH {
			key.kind = policy.BH
		}
		all := v.Topology.CPUs()
		l = policy.View{Topology: v.Topology, Unbound: all, Online: all}.
			Layout(policy.Attrs{Scope: topology.ScopeCPU}, false)
	case Ordered:
		key.kind, key.ordered = policy.Unbound, true
		l = v.Layout(attrs, true)
	case Unbound:
		key.kind = policy.Unbound
		l = v.Layout(attrs, false)
	case Managed:
		l = v.Layout(attrs, false)
	}
	if !opts.Kind.perCPU() {
		key.strict = attrs.Strict
		if !attrs.Strict {
			key.cpus = v.Effective(attrs.CPUs).String()
		}
	}
	made := &layout{key: key, pods: l.Pods}
	for _, pod := range l.Pods {
		made.names = append(made.names, pod.String())
	}
	for _, at := range l.Route {
		if at < 0 {
			at = noShare
		}
		made.route = append(made.route, uint16(at))
	}
	all := v.Topology.CPUs().List()
	if opts.Kind.perCPU() {
		made.choice = newChoice(all, v.Online.List(), false)
	} else {
		made.cpus = v.NodeCPUs(attrs.CPUs)
		made.choice = newChoice(all, l.Allowed, a.sys.opts.RoundRobin)
	}
	return made
}
