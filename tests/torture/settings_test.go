package torture

import (
	"errors"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe"
	"github.com/cmwq/cmwq/topology"
)

// settings are what a system is started with, beside what the seed says.
func (w *world) settings() (opts []cmwq.Option) {
	r := rand.New(rand.NewPCG(w.seed, 1<<40))
	coin := func() bool { return r.IntN(2) == 0 }
	if w.monitored = coin() && !w.unseen(); w.monitored {
		opts = append(opts, cmwq.WithMonitor())
	}
	if coin() && !w.unseen() {
		opts = append(opts, cmwq.WithProfileLabels())
	}
	if r.IntN(4) == 0 {
		opts = append(opts, cmwq.WithRoundRobin())
	}
	if coin() {
		opts = append(opts, cmwq.WithOnStall(w.onStall), cmwq.WithOnHog(w.onHog),
			cmwq.WithWatchdog(20*time.Millisecond), cmwq.WithHogThreshold(2*time.Millisecond), cmwq.WithHogReport(1))
	}
	if w.grammar != nil {
		opts = append(opts, cmwq.WithObserver(w.grammar))
	}
	w.ring = observe.NewRing(1000)
	for _, o := range []cmwq.Observer{
		w.ring, observe.Slog(slog.New(slog.DiscardHandler), slog.LevelError), observe.Trace(),
		&faint{after: 100 + r.Int64N(10000)}, observe.Only(&faint{after: r.Int64N(10)}, cmwq.EventFail, cmwq.EventCull),
	} {
		if w.grammar != nil && r.IntN(3) == 0 {
			opts = append(opts, cmwq.WithObserver(o))
		}
	}
	return opts
}

// machine gives a topology, and the option that has it: none for the one that is here.
func (w *world) machine() (*topology.Topology, []cmwq.Option, error) {
	if w.seed%5 == 2 {
		topo, err := topology.Detect()
		if err != nil {
			return nil, nil, err
		}
		if cpus := topo.CPUs().List(); cpus[len(cpus)-1] == len(cpus)-1 { // their numbers begin with 0
			return topo, nil, nil
		}
	}
	topo, err := topology.Parse(machines[w.seed%uint64(len(machines))])
	return topo, []cmwq.Option{cmwq.WithTopology(topo)}, err
}

// procs is an operation on the whole process.
var procs = []op{{"GOMAXPROCS", 1, func(w *world, r *rand.Rand) {
	if r.IntN(5) == 0 {
		runtime.GOMAXPROCS(1 + r.IntN(4))
	}
}}}

// faint is an observer that panics once, after so many events.
type faint struct {
	after int64
	told  atomic.Int64
}

func (f *faint) Observe(cmwq.Event) {
	if f.told.Add(1) == f.after {
		panic(errTorture)
	}
}

func (w *world) onStall(s cmwq.Stall) {
	n := int(w.stalls.Add(1))
	if s.Pool.Name == "" || s.Hung < 20*time.Millisecond || s.Reports < n || s.Missed < 0 {
		w.t.Errorf("no such stall, after %d: %+v", n-1, s)
	}
	w.misbehave()
}

func (w *world) onHog(h cmwq.Hog) {
	if h.Func == "" || h.Queue == "" || h.Pool == "" || h.Worker == "" || h.Times < 1 || h.Missed < 0 {
		w.t.Errorf("no such hog: %+v", h)
	}
	w.misbehave()
}

// misbehave is what a hook should not do.
func (w *world) misbehave() {
	switch rand.IntN(6) {
	case 0:
		panic(errTorture)
	case 1:
		runtime.Goexit()
	case 2:
		time.Sleep(3 * time.Millisecond)
	default:
	}
}

// expected says whether the log tells of what the torture did.
func expected(r *slog.Record) (ok bool) {
	r.Attrs(func(a slog.Attr) bool {
		if err, is := a.Value.Any().(error); is && errors.Is(err, errTorture) && a.Key == "panic" {
			ok = true
		}
		return !ok
	})
	return ok
}
