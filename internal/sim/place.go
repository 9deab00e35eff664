package sim

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/cmwq/cmwq/topology"
)

// Placement is an experiment with one affinity scope on any machine: threads issue
// items to one unbound queue, and wait for them. It is the experiment of Affinity for
// all scopes and for machines of thousands of CPUs, with the pools' turns of
// Contention: an item's pool takes a time for each, one at a time.
type Placement struct {
	Topology *topology.Topology
	Scope    topology.Scope
	Strict   bool
	Load     Load
	Seed     uint64
	Items    int // to measure, after half as many that are not
}

// Load is what the items do, and how the machine is taken to be. Times of CPU are
// those of a thread that has its core for itself. In JSON times are nanoseconds.
type Load struct {
	Issuers int           `json:"issuers"`   // threads that issue
	Depth   int           `json:"depth"`     // items under way for each
	Burst   time.Duration `json:"burst_ns"`  // CPU to issue one
	Work    time.Duration `json:"work_ns"`   // CPU of an item
	Device  time.Duration `json:"device_ns"` // after it, before its issuer has it back: the mean, exponential
	Cold    float64       `json:"cold"`      // extra work of an item that runs in another cache than its issuer's
	Far     float64       `json:"far"`       // and in another memory node
	Turn    time.Duration `json:"turn_ns"`   // a pool's time for an item
	Pinned  bool          `json:"pinned"`    // issuers have a CPU each, and stay there

	SMT     float64       `json:"smt"`      // speed of a thread whose sibling is busy
	Steal   time.Duration `json:"steal_ns"` // a runnable worker waits so long before CPUs of other pods take it
	Migrate float64       `json:"migrate"`  // chance that an idle CPU takes a waiting issuer of another cache
	Move    time.Duration `json:"move_ns"`  // mean time after which an issuer gets another cache, exponential
	Slice   time.Duration `json:"slice_ns"` // an issuer keeps its CPU so long beside others that wait for it
}

// PlacementResult is what an experiment measured.
type PlacementResult struct {
	Pods     int           // pools
	Rate     float64       // items a second
	CPU      float64       // busy share of all CPUs, 0 to 1
	P50, P99 time.Duration // from an item's queueing to its end
	Away     float64       // share of items that ran in another cache than their issuer's
	Err      error         // an invariant of the policy that broke
}

// place is an experiment that runs.
type place struct {
	*machine
	e     *Placement
	rand  *rand.Rand
	root  *grove
	leaf  []*grove // by position of the CPU
	pools []*placePool
	pool  []*placePool // by position of the CPU
	homes []*grove     // the caches
	load  []int        // issuers of each

	done, away int
	waits      []time.Duration
	err        error
}

// Run does the experiment.
func (e Placement) Run() PlacementResult {
	p := newPlace(&e)
	for n := range e.Load.Issuers {
		p.issuer(n)
	}
	const forever = 1 << 62
	for p.done < e.Items/2 && p.step(forever) {
	}
	from, at, busy := p.done, p.now, p.busyTime(p.now)
	p.away, p.waits = 0, p.waits[:0]
	for p.done < from+e.Items && p.step(forever) {
	}
	span := max(p.now-at, 1)
	slices.Sort(p.waits)
	n := len(p.waits)
	return PlacementResult{
		Pods: len(p.pools),
		Rate: float64(p.done-from) / span.Seconds(),
		CPU:  float64(p.busyTime(p.now)-busy) / float64(span) / float64(len(p.cpus)),
		P50:  p.waits[n/2], P99: p.waits[n*99/100],
		Away: float64(p.away) / float64(n),
		Err:  p.err,
	}
}

func newPlace(e *Placement) *place {
	c := &clock{now: boot}
	p := &place{machine: newMachine(c, e.Topology, e.Load.SMT), e: e, rand: rand.New(rand.NewPCG(e.Seed, 3))}
	p.waits = make([]time.Duration, 0, e.Items+e.Items/2)
	p.plant()
	p.dig()
	return p
}

// plant builds the tree of pods.
func (p *place) plant() {
	t := p.e.Topology
	p.root = newGrove(nil, nil)
	levels := []topology.Scope{topology.ScopeNUMA, topology.ScopeCache, topology.ScopeCacheShard, topology.ScopeSMT}
	at := make([]map[int]*grove, len(levels))
	p.homes = make([]*grove, len(t.Pods(topology.ScopeCache)))
	for i := range at {
		at[i] = map[int]*grove{}
	}
	for _, x := range p.cpus {
		up := p.root
		for i, scope := range levels {
			id := t.PodOf(scope, x.id)
			g := at[i][id]
			if g == nil {
				g = newGrove(up, nil)
				at[i][id] = g
				if scope == topology.ScopeCache {
					p.homes[id] = g
				}
			}
			up = g
		}
		up.core = true
		leaf := newGrove(up, x)
		p.leaf = append(p.leaf, leaf)
		x.at = leaf
	}
	for _, g := range p.leaf { // a core is idle when all its threads are: it has them all now
		g.free(true)
	}
	p.load = make([]int, len(p.homes))
}

// dig makes the pools of the scope.
func (p *place) dig() {
	t, up := p.e.Topology, map[topology.Scope]int{
		topology.ScopeCPU: 0, topology.ScopeSMT: 1, topology.ScopeCacheShard: 2,
		topology.ScopeCache: 3, topology.ScopeNUMA: 4, topology.ScopeSystem: 5,
	}[p.e.Scope]
	byPod := map[int]*placePool{}
	for i, x := range p.cpus {
		id := t.PodOf(p.e.Scope, x.id)
		if byPod[id] == nil {
			home := p.leaf[i]
			for range up {
				home = home.up
			}
			byPod[id] = newPlacePool(p, home, len(t.Pods(p.e.Scope)[id].CPUs.List()))
			p.pools = append(p.pools, byPod[id])
		}
		p.pool = append(p.pool, byPod[id])
	}
}
