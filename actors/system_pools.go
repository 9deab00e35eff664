package actors

import (
	"strconv"

	"github.com/asynkron/protoactor-go/actor"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq/internal/policy"
)

// pool finds or makes the pool of a key. Equal keys share a pool.
func (a *systemActor) pool(ctx actor.Context, key poolKey, pod cpuset.CPUSet, v policy.View) (*pool, error) {
	if p := a.pools[key]; p != nil {
		return p, nil
	}
	cpu, name := -1, ""
	switch key.kind {
	case policy.PerCPU:
		cpu = pod.List()[0]
		name = strconv.Itoa(cpu)
	case policy.BH:
		cpu = pod.List()[0]
		name = "bh/" + strconv.Itoa(cpu)
	default:
	}
	pol := policy.NewPool(key.kind, v.Width(pod), a.sys.opts.Topology.NumCPU())
	if key.kind == policy.PerCPU && !v.Online.Contains(cpu) {
		pol.Disassociate()
	}
	p := newPool(a.sys, name, cpu, key.high, pol)
	if err := a.sys.fault("pool", p.describe(key)); err != nil {
		return nil, err
	}
	id, err := places.add(p)
	if err != nil {
		return nil, createError("pool", p.describe(key), err)
	}
	p.id, p.key, p.pod, p.node = id, key, pod, v.Node(pod)
	a.sys.pools.Add(1)
	if name == "" {
		p.name = "u" + strconv.Itoa(int(id))
	}
	if p.pin = a.sys.pin(p); p.pin != nil && pol.Disassociated() {
		p.pin.place(false)
	}
	p.alone = []string{p.name}
	p.introduce()
	// A failure of the engine in the manager costs a message, not its state.
	props := a.sys.props(func() actor.Actor { return p }).
		Configure(actor.WithMailbox(func() actor.Mailbox { return &p.mb }),
			actor.WithSupervisor(actor.NewOneForOneStrategy(-1, 0, a.sys.resume)))
	p.pid = ctx.SpawnPrefix(props, "pool/"+p.name)
	a.pools[key] = p
	a.fresh = append(a.fresh, p)
	return p, nil
}
