package torture

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

var bg = context.Background()

// world is a system under torture.
type world struct {
	t       *testing.T
	seed    uint64
	sys     *cmwq.System
	cpus    int
	virtual bool // in a bubble: nothing may spin
	places  []*place
	items   []*item // reusable ones

	futures  account // functions submitted
	runs     atomic.Int64
	failures atomic.Int64 // items that ended badly, on purpose
	reported atomic.Int64 // failures that the system reported
	in       atomic.Int64 // executions in progress
	ending   atomic.Bool  // the system stops, and items are refused with ErrStopped
	meters   sync.Map     // name of a queue → *meter

	mu      sync.Mutex
	results []*cmwq.Future[uint64]
	dropped int64         // results among them that say so
	queues  []*cmwq.Queue // all that ever were

	freezer sync.Mutex // who freezes thaws

	fault  [len(makings)]atomic.Int32 // operators who have its creation fail
	scarce bool                       // workers are few: items that wait for items may wait for ever
}

// complainer hears of failures of the engine, which it survives.
type complainer struct {
	slog.Handler
	t *testing.T
}

func (complainer) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelError }

func (c complainer) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool { c.t.Errorf("%s: %v", r.Message, a); return true })
	return nil
}

// place is where one queue of a kind is at any time.
type place struct {
	kind int
	most int64 // that may execute at once, 0 any
	now  atomic.Pointer[cmwq.Queue]
}

func newWorld(t *testing.T, seed uint64, virtual bool) *world {
	w := &world{t: t, seed: seed, virtual: virtual}
	topo, err := topology.Parse(machines[seed%uint64(len(machines))])
	require.NoError(t, err)
	w.cpus = topo.NumCPU()
	opts := []cmwq.Option{cmwq.WithTopology(topo), cmwq.WithLogger(slog.New(complainer{t: t})), cmwq.WithOnFailure(w.onFailure)}
	if w.scarce = seed%4 == 0; w.scarce {
		opts = append(opts, cmwq.WithMaxWorkers(2)) // creation fails, and rescuers have to help
	}
	if seed%3 == 0 {
		opts = append(opts, cmwq.WithPowerEfficient(true))
	}
	opts = append(opts, w.faults)
	if virtual {
		opts = append(opts, cmwq.WithPortableTick())
	}
	w.sys, err = cmwq.New(opts...)
	require.NoError(t, err)
	for kind, k := range kinds {
		p := &place{kind: kind, most: int64(k.top)}
		if k.perCPU {
			p.most *= int64(w.cpus)
		}
		w.places = append(w.places, p)
		w.open(p)
		for range 5 {
			w.items = append(w.items, w.newItem(p))
		}
	}
	for range 5 {
		w.items = append(w.items, w.newItem(nil))
	}
	return w
}

// open makes a place's next queue.
func (w *world) open(p *place) {
	w.mu.Lock()
	defer w.mu.Unlock()
	k := kinds[p.kind]
	name := fmt.Sprint(k.name, " ", len(w.queues))
	w.meters.Store(name, &meter{name: name, most: p.most, bh: k.bh()})
	q, err := w.sys.NewQueue(name, k.opts...)
	for errors.Is(err, cmwq.ErrCreate) {
		w.pause()
		q, err = w.sys.NewQueue(name, k.opts...)
	}
	if err != nil {
		w.t.Errorf("%s: %v", k.name, err)
		return
	}
	w.queues = append(w.queues, q)
	w.fix(q, k.fixed)
	p.now.Store(q)
}

func (w *world) place(r *rand.Rand) *place { return w.places[r.IntN(len(w.places))] }
func (w *world) item(r *rand.Rand) *item   { return w.items[r.IntN(len(w.items))] }

// idle waits until nothing executes any more.
func (w *world) idle() {
	for w.in.Load() > 0 {
		w.pause()
	}
}

func (w *world) pause() {
	if w.virtual {
		time.Sleep(10 * time.Microsecond)
	} else {
		runtime.Gosched()
	}
}
