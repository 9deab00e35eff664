package cmwq_test

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// keyedWorld checks what items with keys may rely on, whatever is done to them.
type keyedWorld struct {
	t        *testing.T
	q        *cmwq.Queue
	handles  []*cmwq.Keyed
	in       []atomic.Int32   // executions of each key
	last     [][]atomic.Int64 // of each key and producer, the newest closure that ran
	ran      atomic.Int64
	accepted atomic.Int64
	taken    atomic.Int64 // cancelled
}

func (w *keyedWorld) body(ctx *cmwq.Context, key int, r uint64) error {
	if w.in[key].Add(1) != 1 {
		w.t.Errorf("two of key %d at once", key)
	}
	defer w.in[key].Add(-1)
	w.ran.Add(1)
	switch r % 200 {
	case 0:
		return ctx.Sleep(100 * time.Microsecond)
	case 1:
		panic("of the test")
	case 2:
		runtime.Goexit()
	case 3:
		time.Sleep(100 * time.Microsecond)
	case 4:
		return errors.New("of the test")
	}
	return nil
}

// produce queues closures, whose order is checked, and its own items, with any
// key, and cancels, modifies and flushes them.
func (w *keyedWorld) produce(p, n int) {
	rnd := rand.New(rand.NewPCG(uint64(p), 7))
	items, keyOf := make([]*cmwq.Work, 8), make([]atomic.Int32, 8)
	var self [8]atomic.Int32
	for i := range items {
		items[i] = cmwq.NewWork(func(ctx *cmwq.Context) error {
			if self[i].Add(1) != 1 {
				w.t.Error("an item runs twice at once")
			}
			defer self[i].Add(-1)
			// Its key may be changed by the producer from now on, and is not by then.
			return w.body(ctx, int(keyOf[i].Load()), rand.Uint64())
		})
	}
	for seq := range int64(short.Rounds(n)) {
		key, i := rnd.IntN(len(w.in)), rnd.IntN(len(items))
		switch op := rnd.IntN(20); {
		case op < 12:
			r := rnd.Uint64()
			w.must(w.handles[key].Go(func(ctx *cmwq.Context) error {
				if last := w.last[key][p].Swap(seq + 1); last > seq {
					w.t.Errorf("key %d: %d ran after %d", key, seq, last)
				}
				return w.body(ctx, key, r)
			}))
		case op < 17: // the same key while it may run: it is not known when it starts
			if b := items[i].Busy(); !b.Pending && !b.Running {
				keyOf[i].Store(int32(key))
				w.must(w.handles[key].Queue(items[i]))
			} else if err := w.handles[keyOf[i].Load()].Queue(items[i]); err == nil {
				w.accepted.Add(1)
			} else if !errors.Is(err, cmwq.ErrPending) {
				w.t.Error(err)
			}
		case op == 17:
			if items[i].Cancel() {
				w.taken.Add(1)
			}
		case op == 18:
			was, err := items[i].CancelWait(bg)
			if err != nil {
				w.t.Error(err)
			}
			if was {
				w.taken.Add(1)
			}
		default:
			was, err := w.handles[keyOf[i].Load()].Modify(time.Duration(rnd.IntN(3)-1)*20*time.Microsecond, items[i])
			if err != nil {
				w.t.Error(err)
			}
			if !was {
				w.accepted.Add(1)
			}
		}
	}
	for _, it := range items {
		if err := it.Flush(bg); err != nil {
			w.t.Error(err)
		}
	}
}

func (w *keyedWorld) must(err error) {
	if err != nil {
		w.t.Error(err)
		return
	}
	w.accepted.Add(1)
}

const keyedProducers = 4

func newKeyedWorld(t *testing.T, sys *cmwq.System, keys int, opts ...cmwq.QueueOption) *keyedWorld {
	t.Helper()
	w := &keyedWorld{t: t, q: queue(t, sys, "q", opts...), in: make([]atomic.Int32, keys), last: make([][]atomic.Int64, keys)}
	for key := range keys {
		w.last[key] = make([]atomic.Int64, keyedProducers)
		w.handles = append(w.handles, w.q.Keyed(key))
	}
	return w
}

// TestKeyedStress: whatever is done to items with keys, no two of one key run at
// once, none is lost, and what one goroutine queued with one key runs in order.
func TestKeyedStress(t *testing.T) {
	for name, kind := range keyedKinds {
		for _, keys := range []int{1, 20} {
			t.Run(name, func(t *testing.T) {
				opt, _ := pods(t, twoPods)
				sys := start(t, silent(), opt)
				w := newKeyedWorld(t, sys, keys, kind)
				var wg sync.WaitGroup
				for p := range keyedProducers {
					wg.Go(func() { w.produce(p, 2000) })
				}
				for range 20 {
					require.NoError(t, w.q.Flush(bg))
					require.NoError(t, w.q.SetMaxActive(1+rand.IntN(8)))
				}
				wg.Wait()
				require.NoError(t, w.q.Flush(bg))
				require.Equal(t, w.accepted.Load(), w.ran.Load()+w.taken.Load())
				st, err := w.q.Stats(bg)
				require.NoError(t, err)
				require.Zero(t, st.Active+st.Inactive)
			})
		}
	}
}
