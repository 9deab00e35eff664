// Package timelines replays the scenarios of package sim on the real actors, in
// virtual time: the same files, the same stamps.
package timelines

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/internal/policy"
	_ "github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/internal/sim"
	"github.com/cmwq/cmwq/topology"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestTimelines compares what an item can see of its life with the golden file:
// activation and a hog's declaration happen inside the pool, so those words are
// left out, and counted instead.
func TestTimelines(t *testing.T) {
	datadriven.Walk(t, "../../internal/sim/testdata/timelines", func(t *testing.T, path string) {
		n := 0
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			n++
			s, err := sim.Parse(d.Input)
			require.NoError(t, err, d.Pos)
			t.Run(fmt.Sprint(n), func(t *testing.T) {
				trace := replay(t, s)
				require.Equal(t, visible(d.Expected), visible(sim.Format(trace)), d.Pos)
				require.Equal(t, int64(strings.Count(d.Expected, " hog\n")), trace.Queues[0].Hogs, "declared hogs")
			})
			return d.Expected // the file is the simulator's
		})
	})
}

// visible leaves out what only the pool knows.
func visible(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if i := strings.Index(line, " congested"); i >= 0 {
			line = line[:i]
		}
		words := strings.Fields(line)
		kept := words[:0]
		for _, w := range words {
			if w != "activate" && w != "hog" && w != "asleep" {
				kept = append(kept, w)
			}
		}
		if strings.HasPrefix(line, "t=") && len(kept) == 2 {
			continue // nothing is left of it
		}
		lines = append(lines, strings.Join(kept, " "))
	}
	return strings.Join(lines, "\n")
}

// source ticks by the bubble's clock and reads the virtual machine's gauges.
type source struct {
	actors.Source
	m *machine
}

func (s source) Gauges() policy.Gauges { return s.m.gauges() }

// replay runs a scenario on a real system.
func replay(t *testing.T, s sim.Scenario) (trace sim.Trace) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(s.CPUs, s.Quantum)
		topo, err := topology.Uniform(1, 1, s.Width, 1)
		require.NoError(t, err)
		sys, err := cmwq.New(cmwq.WithTopology(topo), cmwq.WithHogThreshold(s.Hog),
			cmwq.WithLogger(slog.New(slog.DiscardHandler)),
			func(o *actors.Options) error { o.Source = source{actors.PortableSource(), m}; return nil })
		require.NoError(t, err)
		var queues []*cmwq.Queue
		for _, q := range s.Queues {
			queues = append(queues, newQueue(t, sys, s.Kind, q))
		}
		synctest.Wait() // the pools have their first workers
		r := &recorder{begin: time.Now()}
		r.done.Add(len(s.Items))
		go r.queueAll(t, s, m, queues)
		stop := make(chan struct{})
		go func() { r.done.Wait(); close(stop) }()
		m.schedule(stop)
		trace = r.trace
		trace.Burned = s.Burned()
		for i, q := range queues {
			require.NoError(t, q.Flush(context.Background()))
			st, err := q.Stats(context.Background())
			require.NoError(t, err)
			trace.Queues = append(trace.Queues, sim.QueueTrace{Name: s.Queues[i].Name, CMWakeup: st.CMWakeup, Hogs: st.CPUHog})
		}
		require.NoError(t, sys.Stop(context.Background()))
	})
	return trace
}

func newQueue(t *testing.T, sys *cmwq.System, kind policy.Kind, q sim.Queue) *cmwq.Queue {
	opts := []cmwq.QueueOption{cmwq.MaxActive(q.MaxActive)}
	switch kind {
	case policy.Managed:
	case policy.PerCPU:
		opts = append(opts, cmwq.PerCPU())
	case policy.Unbound:
		opts = append(opts, cmwq.Unbound())
	default:
		t.Fatalf("no queue is served by a pool of kind %v here", kind)
	}
	if q.CPUIntensive {
		opts = append(opts, cmwq.CPUIntensive())
	}
	queue, err := sys.NewQueue(q.Name, opts...)
	require.NoError(t, err)
	return queue
}

// recorder keeps what items see.
type recorder struct {
	begin time.Time
	done  sync.WaitGroup
	mu    sync.Mutex
	trace sim.Trace
}

func (r *recorder) event(s sim.Scenario, rank int, kind sim.EventKind) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := time.Since(r.begin)
	r.trace.Events = append(r.trace.Events, sim.Event{At: at, Rank: rank, Item: s.Items[rank].Name, Kind: kind})
	if kind == sim.End {
		r.trace.Makespan = max(r.trace.Makespan, at)
	}
}

func (r *recorder) queueAll(t *testing.T, s sim.Scenario, m *machine, queues []*cmwq.Queue) {
	for rank, it := range s.Items {
		time.Sleep(it.At - time.Since(r.begin))
		w := cmwq.NewWork(func(ctx *cmwq.Context) error {
			defer r.done.Done()
			r.run(ctx, s, rank, m)
			return nil
		})
		if err := queues[it.Queue].Queue(w); err != nil {
			t.Error(err)
			r.done.Done()
		}
	}
}

// run follows an item's script.
func (r *recorder) run(ctx *cmwq.Context, s sim.Scenario, rank int, m *machine) {
	see := func(kind sim.EventKind) { r.event(s, rank, kind) }
	th := newThread(rank)
	see(sim.Kick)
	m.hold(th)
	see(sim.Start)
	for _, step := range s.Items[rank].Steps {
		switch step.Do {
		case sim.Burn:
			m.burn(th, step.For)
		case sim.Sleep:
			see(sim.Slept)
			m.leave(th)
			_ = ctx.Sleep(step.For)
			see(sim.Wake)
			m.hold(th)
		case sim.Block:
			see(sim.Blocked)
			m.leave(th)
			time.Sleep(step.For)
			m.hold(th)
		}
	}
	see(sim.End)
	m.leave(th)
}
