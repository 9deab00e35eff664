package actors

import (
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/topology"
)

// modulePath is this module's, by which the build info knows it.
const modulePath = "github.com/cmwq/cmwq"

// version is this module's, as far as the build info says.
var version = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range info.Deps {
		if m.Path != modulePath {
			continue
		}
		if m.Replace != nil {
			m = m.Replace
		}
		if m.Version != "" {
			return m.Version
		}
	}
	if strings.HasPrefix(info.Main.Path, modulePath) && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
})

// host tells of the system as a whole.
func (s *System) host(have *listed) messages.SystemSnapshot {
	return messages.SystemSnapshot{
		Version: version(), Uptime: s.now() - epoch, GOMAXPROCS: runtime.GOMAXPROCS(0), Frozen: s.frozen.Load(),
		UnboundCPUs: have.view.Unbound.String(), OnlineCPUs: have.view.Online.String(), Scopes: have.scopes,
	}
}

// scopesOf are the scopes of a topology, kept for the next snapshot.
type scopesOf struct {
	topology *topology.Topology
	standard topology.Scope
	scopes   []messages.ScopeSnapshot
}

func (a *systemActor) scopes() []messages.ScopeSnapshot {
	k := &a.scoped
	if k.topology == a.view.Topology && k.standard == a.view.Scope {
		return k.scopes
	}
	*k = scopesOf{topology: a.view.Topology, standard: a.view.Scope}
	cpus := k.topology.CPUs().List()
	for scope := topology.Scope(0); scope.Valid(); scope++ {
		if scope == topology.ScopeDefault {
			continue
		}
		st := messages.ScopeSnapshot{Name: scope.String(), Default: scope == k.standard}
		for _, p := range k.topology.Pods(scope) {
			st.Pods = append(st.Pods, messages.PodSnapshot{CPUs: p.CPUs.String(), Node: p.Node})
		}
		for cpu := range cpus[len(cpus)-1] + 1 {
			st.CPUPod = append(st.CPUPod, k.topology.PodOf(scope, cpu))
		}
		k.scopes = append(k.scopes, st)
	}
	return k.scopes
}

// describe adds what a pool is to what it does.
func (l *listed) describe(p *pool, st *messages.PoolSnapshot) {
	st.Nice, st.Node, st.Strict = p.key.nice, p.node, p.key.strict
	if p.high {
		st.Nice = highNice
	}
	st.PodCPUs, st.CPUs = p.key.pod, p.key.pod
	if !p.key.strict && p.key.cpus != "" {
		st.CPUs = p.key.cpus
	}
	for i := range l.pools {
		if l.pools[i] == p {
			st.Refs = l.refs[i]
		}
	}
}

// highNice is what a pool of high priority has. (kernel: HIGHPRI_NICE_LEVEL)
const highNice = -20

// place tells where a queue's items run, and how many at once.
func (k *entry) place(q *Queue, view policy.View, st *messages.Placing) {
	t := k.table
	if len(t.shares) == 1 {
		st.Pools = t.shares[0].pool.alone
	} else {
		st.Pools, st.CPUPool = make([]string, len(t.shares)), t.route
		for i, s := range t.shares {
			st.Pools[i] = s.pool.name
		}
	}
	attrs := q.attrs.Load()
	if !q.opts.Kind.perCPU() {
		st.Scope, st.Strict, st.Nice = attrs.Scope.String(), attrs.Strict, attrs.Nice
		if !attrs.CPUs.IsEmpty() {
			st.CPUs = attrs.CPUs.String()
		}
	}
	if d := q.has().division.Load(); d != nil && d.Divided() {
		st.MinActive = d.Least()
		for _, n := range append(d.Nodes(), policy.NoNode) {
			if most := d.Of(n); n != policy.NoNode || k.nodes[n] > 0 {
				st.Nodes = append(st.Nodes, messages.NodeSnapshot{Node: n, Active: k.nodes[n], Max: most})
			}
		}
	}
	if q.rescuer != nil {
		st.Rescuer = &messages.RescuerSnapshot{Worker: q.rescuer.w.name, CPUs: view.Effective(attrs.CPUs).String()}
	}
}

func (k *entry) onNode(node, active int) {
	if k.nodes == nil {
		k.nodes = map[int]int{}
	}
	k.nodes[node] += active
}
