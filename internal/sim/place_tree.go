package sim

import (
	"slices"
	"time"
)

// grove is a pod of the machine: a CPU, a core, a slice of a cache, a cache, a memory
// node, or all of it. It counts what is idle and what waits within, so that whoever
// looks for either finds it in a few steps.
type grove struct {
	up    *grove
	kids  []*grove
	cpu   *hardCPU // of a CPU
	core  bool     // its kids are the threads of a core
	idle  int      // CPUs without a task
	cores int      // cores without any

	list    []*task // tasks that wait for one of its CPUs, oldest first
	steals  int     // workers that wait within, and may be taken elsewhere
	movable int     // issuers that wait within
}

func newGrove(up *grove, cpu *hardCPU) *grove {
	g := &grove{up: up, cpu: cpu}
	if up != nil {
		up.kids = append(up.kids, g)
	}
	return g
}

// free counts a CPU as idle, or as busy.
func (g *grove) free(idle bool) {
	d, whole := -1, 0
	if idle {
		d = 1
	}
	for p := g; p != nil; p = p.up {
		p.idle += d
		switch {
		case !p.core:
			p.cores += whole
		case idle && p.idle == len(p.kids):
			whole = 1
			p.cores = 1
		case !idle && p.idle == len(p.kids)-1:
			whole = -1
			p.cores = 0
		}
	}
}

// findIdle gives an idle CPU within, on an idle core if there is one.
func (g *grove) findIdle() *hardCPU {
	if g.idle == 0 {
		return nil
	}
	for g.cpu == nil {
		cores := g.cores > 0 && !g.core
		for _, k := range g.kids {
			if k.idle > 0 && (!cores || k.cores > 0) {
				g = k
				break
			}
		}
	}
	return g.cpu
}

// holds says whether a CPU is within.
func (g *grove) holds(x *hardCPU) bool {
	for p := x.at; p != nil; p = p.up {
		if p == g {
			return true
		}
	}
	return false
}

// wait has a task wait for a CPU of its home.
func (g *grove) wait(t *task) {
	g.list = append(g.list, t)
	g.count(t, 1)
}

func (g *grove) count(t *task, d int) {
	for p := g; p != nil; p = p.up {
		if t.steal {
			p.steals += d
		}
		if t.mover {
			p.movable += d
		}
	}
}

// take takes a task off the list; false if it does not wait there.
func (g *grove) take(t *task) bool {
	i := slices.Index(g.list, t)
	switch {
	case i < 0:
		return false
	case i == 0: // nearly always: the list may have thousands
		g.list[0] = nil
		g.list = g.list[1:]
	default:
		g.list = slices.Delete(g.list, i, i+1)
	}
	g.count(t, -1)
	return true
}

// stealable gives a worker within that has waited for long enough, or nil.
func (g *grove) stealable(now, wait time.Duration) *task {
	for g.steals > 0 {
		for _, t := range g.list {
			if t.steal {
				if now-t.at >= wait {
					return t
				}
				return nil
			}
		}
		g = kid(g, func(k *grove) int { return k.steals })
	}
	return nil
}

// mover gives an issuer that waits within, or nil.
func (g *grove) mover() *task {
	for g.movable > 0 {
		for _, t := range g.list {
			if t.mover {
				return t
			}
		}
		g = kid(g, func(k *grove) int { return k.movable })
	}
	return nil
}

// kid is the first that has any.
func kid(g *grove, has func(*grove) int) *grove {
	for _, k := range g.kids {
		if has(k) > 0 {
			return k
		}
	}
	return &grove{}
}

// waited says whether a task waits for one of its CPUs.
func (g *grove) waited() bool {
	for ; g != nil; g = g.up {
		if len(g.list) > 0 {
			return true
		}
	}
	return false
}
