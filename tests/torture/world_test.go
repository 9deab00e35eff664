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
	"github.com/cmwq/cmwq/observe"
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

	futures  account      // functions submitted
	requeued atomic.Int64 // dead letters, of any item
	others   account      // they, and functions that went other ways: after other work, by message
	runs     atomic.Int64
	failures atomic.Int64 // items that ended badly, on purpose
	reported atomic.Int64 // failures that the system reported
	in       atomic.Int64 // executions in progress
	ending   atomic.Bool  // the system stops, and items are refused with ErrStopped
	meters   sync.Map     // name of a queue → *meter

	mu      sync.Mutex
	results []*result
	queues  []*cmwq.Queue // all that ever were
	born    int           // how many

	freezer sync.Mutex // who freezes thaws

	fault  [len(makings)]atomic.Int32 // operators who have its creation fail
	scarce bool                       // workers are few: items that wait for items may wait for ever
	blurs  bool                       // submitters go away, and it cannot be told from outside what became of some items

	*stage
	web
	grammar *grammar // what observers are told; nil: there are none
	ring    *observe.Ring

	log       *slog.Logger
	monitored bool         // it is measured how long items wait and run
	stalls    atomic.Int64 // that were told
	procs     int          // GOMAXPROCS at the beginning
}

// complainer hears of failures of the engine, which it survives.
type complainer struct {
	slog.Handler
	t    *testing.T
	more bool // it wants to hear of the rest, too
}

func (c complainer) Enabled(_ context.Context, l slog.Level) bool {
	return c.more || l >= slog.LevelError
}

func (c complainer) Handle(_ context.Context, r slog.Record) error {
	if r.Level < slog.LevelError || expected(&r) {
		return nil
	}
	r.Attrs(func(a slog.Attr) bool { c.t.Errorf("%s: %v", r.Message, a); return true })
	return nil
}

// place is where one queue of a kind is at any time.
type place struct {
	kind   int
	most   int64 // that may execute at once, 0 any
	now    atomic.Pointer[cmwq.Queue]
	mu     sync.Mutex // who makes its next queue
	parent *parent    // nil: the queue is nobody's child
}

func newWorld(t *testing.T, seed uint64, virtual bool) *world {
	w := &world{t: t, seed: seed, virtual: virtual, log: slog.New(complainer{slog.DiscardHandler, t, seed%7 == 0}), procs: runtime.GOMAXPROCS(0)}
	topo, opts, err := w.machine()
	require.NoError(t, err)
	w.cpus = topo.NumCPU()
	opts = append(opts, cmwq.WithLogger(w.log), cmwq.WithOnFailure(w.onFailure))
	if w.scarce = seed%4 == 0; w.scarce {
		opts = append(opts, cmwq.WithMaxWorkers(2)) // creation fails, and rescuers have to help
	}
	if seed%3 == 0 {
		opts = append(opts, cmwq.WithPowerEfficient(true))
	}
	w.blurs = seed%2 == 0
	opts = append(opts, w.faults, cmwq.WithSupervision(w.directives()))
	if seed%3 != 1 {
		w.grammar = newGrammar(t)
	}
	opts = append(opts, w.settings()...)
	if virtual {
		opts = append(opts, cmwq.WithPortableTick())
	}
	w.stage = newStage()
	present.Store(w)
	w.sys, err = cmwq.Start(w.as, opts...)
	require.NoError(t, err)
	w.raise()
	w.serve()
	for kind, k := range kinds {
		p := &place{kind: kind, most: int64(k.top)}
		if k.child {
			p.parent = w.newParent(kind)
		}
		if k.perCPU {
			p.most *= int64(w.cpus)
		}
		w.places = append(w.places, p)
		w.open(p)
		for range 5 {
			if !k.child { // of those that are abandoned items may go on
				w.items = append(w.items, w.newItem(p))
			}
		}
	}
	for range numFree {
		w.items = append(w.items, w.newItem(nil))
	}
	return w
}

// open makes a place's next queue.
func (w *world) open(p *place) {
	w.mu.Lock()
	k, n := &kinds[p.kind], w.born
	w.born++
	w.mu.Unlock()
	name := fmt.Sprint(k.name, " ", n)
	m := &meter{name: p.parent.prefix() + name, most: p.most, bh: k.bh(), kind: k}
	w.meters.Store(m.name, m)
	q, err := w.newQueue(p, name)
	for errors.Is(err, cmwq.ErrCreate) {
		w.pause()
		q, err = w.newQueue(p, name)
	}
	if err != nil {
		w.t.Errorf("%s: %v", k.name, err)
		return
	}
	w.mu.Lock()
	w.queues = append(w.queues, q)
	w.mu.Unlock()
	w.fix(q, k.fixed)
	p.now.Store(q)
}

func (w *world) newQueue(p *place, name string) (*cmwq.Queue, error) {
	if p.parent != nil {
		return p.parent.spawn(name, kinds[p.kind].opts)
	}
	return w.sys.NewQueue(name, kinds[p.kind].opts...)
}

// remake makes a place's next queue, if the last has ended.
func (w *world) remake(p *place) {
	if p.mu.TryLock() {
		defer p.mu.Unlock()
		if w.sys.Queue(p.now.Load().Name()) == nil {
			w.open(p)
		}
	}
}

// numFree is how many items are at no place: the last ones.
const numFree = 15

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
