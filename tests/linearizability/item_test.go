package linearizability

import (
	"cmp"
	"errors"
	"flag"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cmwq/cmwq"
	_ "github.com/cmwq/cmwq/internal/short"
)

var (
	seeded    = flag.Uint64("seed", 0, "seed of the first history; 0: of the clock")
	histories = flag.Int("histories", 400, "of each kind of queue; a tenth with -short")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// calls are what clients do to the item.
var calls = []func(h *history, client int, r *rand.Rand){
	queue, queue, queue, queue,
	func(h *history, client int, r *rand.Rand) {
		call := h.now()
		h.queued(client, call, h.q.QueueAfter(time.Duration(r.IntN(100))*time.Microsecond, h.w))
	},
	func(h *history, client int, r *rand.Rand) {
		op, ok := h.op()
		if !ok {
			return
		}
		call := h.now()
		was, err := h.q.Modify(time.Duration(r.IntN(2)*r.IntN(100))*time.Microsecond, h.w)
		switch {
		case !was:
			h.queued(client, call, err)
		case err == nil:
			h.record(client, call, step{kind: replace, op: op})
		case errors.Is(err, cmwq.ErrDisabled):
			h.record(client, call, step{kind: replace, op: op}, step{kind: drop, op: op})
		default:
			h.t.Error(err)
		}
	},
	func(h *history, client int, _ *rand.Rand) {
		call := h.now()
		h.record(client, call, step{kind: cancel, yes: h.w.Cancel()})
	},
	func(h *history, client int, _ *rand.Rand) { h.disable(client, h.w.CancelWait, lower) },
	func(h *history, client int, _ *rand.Rand) {
		h.disable(client, h.w.Disable)
		h.mine[client]++
	},
	enableMine, enableMine,
	func(h *history, client int, _ *rand.Rand) {
		op, ok := h.op()
		if !ok {
			return
		}
		call := h.now()
		if err := h.w.Flush(bg); err != nil {
			h.t.Error(err)
		}
		h.record(client, call, step{kind: look, op: op}, step{kind: flushed, op: op})
	},
	observe, observe,
}

func queue(h *history, client int, _ *rand.Rand) {
	call := h.now()
	h.queued(client, call, h.q.Queue(h.w))
}

// enableMine undoes a Disable of this client's. One that undid another's would let
// the item be queued while that other takes it off.
func enableMine(h *history, client int, _ *rand.Rand) {
	if h.mine[client] == 0 {
		return
	}
	h.mine[client]--
	call := h.now()
	left, err := h.w.Enable()
	if err != nil {
		h.t.Error(err)
	}
	h.record(client, call, step{kind: enable, left: left})
}

func observe(h *history, client int, _ *rand.Rand) {
	call := h.now()
	h.record(client, call, step{kind: busy, busy: h.w.Busy()})
}

// TestItem: whatever clients do to an item while it is executed, and
// queues itself, there is an order of steps that explains what they saw.
func TestItem(t *testing.T) {
	seed := *seeded
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	n := *histories
	if testing.Short() {
		n /= 10
	}
	for name, kind := range map[string]cmwq.QueueOption{
		"managed": cmwq.MaxActive(0), "percpu": cmwq.PerCPU(), "unbound": cmwq.Unbound(), "ordered": cmwq.Ordered(),
	} {
		t.Run(name, func(t *testing.T) {
			sys, err := cmwq.New(cmwq.WithLogger(slog.New(slog.DiscardHandler)))
			require.NoError(t, err)
			defer func() { require.NoError(t, sys.Stop(bg)) }()
			q, err := sys.NewQueue("q", kind)
			require.NoError(t, err)
			unknown := 0
			for i := range n {
				steps := record(t, q, seed+uint64(i))
				switch res, info := porcupine.CheckOperationsVerbose(model, steps, 5*time.Second); res {
				case porcupine.Ok:
				case porcupine.Unknown:
					unknown++
				case porcupine.Illegal:
					show(t, steps, info)
					t.Fatalf("no order explains what happened; the seed was %d", seed+uint64(i))
				}
			}
			require.LessOrEqual(t, unknown, n/20, "histories that are too hard to check")
		})
	}
}

// record lets clients loose on a new item.
func record(t *testing.T, q *cmwq.Queue, seed uint64) []porcupine.Operation {
	h := &history{t: t, q: q}
	h.item(func(ctx *cmwq.Context, run int) {
		r := rand.New(rand.NewPCG(seed, uint64(1000+run)))
		switch r.IntN(6) {
		case 0:
			_ = ctx.Sleep(time.Duration(r.IntN(50)) * time.Microsecond)
		case 1:
			ctx.Block(runtime.Gosched)
		case 2:
			observe(h, executor+1, r)
		case 3:
			if run < 5 {
				queue(h, executor+1, r)
			}
		}
	})
	var wg sync.WaitGroup
	for client := range clients {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(client)))
			for range 4 + r.IntN(4) {
				calls[r.IntN(len(calls))](h, client, r)
				if r.IntN(4) == 0 {
					runtime.Gosched()
				}
			}
		})
	}
	wg.Wait()
	require.NoError(t, h.w.Flush(bg))
	require.NoError(t, q.Drain(bg)) // it may have queued itself again
	observe(h, 0, nil)
	return h.finish()
}

// show leaves a picture of a history that cannot be explained.
func show(t *testing.T, steps []porcupine.Operation, info porcupine.LinearizationInfo) {
	f, err := os.Create(filepath.Join(os.TempDir(), "cmwq-history.html"))
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, porcupine.Visualize(model, info, f))
	t.Logf("see %s", f.Name())
	slices.SortFunc(steps, func(a, b porcupine.Operation) int { return cmp.Compare(a.Call, b.Call) })
	for _, s := range steps {
		t.Logf("%3d-%3d client %2d %v", s.Call, s.Return, s.ClientId, s.Input)
	}
}
