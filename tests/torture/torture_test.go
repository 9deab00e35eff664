package torture

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cmwq/cmwq/internal/short"
)

var (
	length = flag.Duration("torture", 10*time.Second, "how long to torture; a second with -short")
	seeded = flag.Uint64("torture.seed", 0, "seed of the first round; 0: of the clock")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	round     = 2 * time.Second  // each has a system of its own
	operators = 12               // goroutines that do things to it
	longest   = 20 * time.Second // a round in which nothing begins for so long hangs
)

// TestTorture runs round after round. A seed gives the same machine, queues,
// operations and items again, though not the same interleaving.
func TestTorture(t *testing.T) {
	d := *length
	if testing.Short() {
		d = time.Second / 2
	}
	seed := *seeded
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	for end := time.Now().Add(d); ; seed++ {
		left := min(round, time.Until(end))
		if left < round/20 || !t.Run("round", func(t *testing.T) { torture(t, seed, left) }) {
			return
		}
	}
}

// torture is one round: make a world, do things to it from all sides, end it one
// way or the other, and check the books.
func torture(t *testing.T, seed uint64, d time.Duration) {
	w := newWorld(t, seed, false)
	defer watch(t, seed, w.runs.Load, w.dump)()
	w.all(func(r *rand.Rand) {
		for stop := time.Now().Add(d); time.Now().Before(stop) && !t.Failed(); {
			w.operate(r)
		}
	})
	w.close()
}

// TestTortureInVirtualTime does the same in a bubble, where hours pass: armed
// items fall due, and workers that were idle for too long are gone.
func TestTortureInVirtualTime(t *testing.T) {
	seed := *seeded
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	for i := range uint64(short.Rounds(6)) {
		t.Run("round", func(t *testing.T) {
			var made atomic.Pointer[world]
			runs := func() int64 {
				if w := made.Load(); w != nil {
					return w.runs.Load()
				}
				return 0
			}
			defer watch(t, seed+i, runs, func() {})()
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, seed+i, true)
				made.Store(w)
				w.all(func(r *rand.Rand) {
					for n := 0; n < short.AtLeast(60, 200) && !t.Failed(); n++ {
						w.operate(r)
						if r.IntN(50) == 0 {
							time.Sleep(time.Duration(r.IntN(int(20 * time.Minute))))
						}
						time.Sleep(micros(r, 1000))
					}
				})
				w.close()
				time.Sleep(10 * time.Millisecond) // a dead letter costs the actor system a goroutine for one
			})
		})
	}
}

// watch tells the seed of a round that failed, or hangs: not of one that is slow, as
// thousands of items are that hold the only CPU. runs counts executions.
func watch(t *testing.T, seed uint64, runs func() int64, dump func()) (stop func()) {
	ended := make(chan struct{})
	go func() {
		for last := int64(-1); ; {
			select {
			case <-ended:
				return
			case <-time.After(longest):
			}
			if n := runs(); n != last {
				last = n
				continue
			}
			dump()
			_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 1)
			panic(fmt.Sprintf("torture: hangs; the seed was %d", seed))
		}
	}()
	return func() {
		close(ended)
		if t.Failed() {
			t.Logf("the seed was %d: go test -race -tags invariants ./tests/torture -torture.seed %d", seed, seed)
		}
	}
}

// dump tells what a system that hangs is at.
func (w *world) dump() {
	ctx, cancel := context.WithTimeout(bg, time.Second)
	defer cancel()
	if err := w.sys.Dump(ctx, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "dump:", err)
	}
}

// all lets the operators loose.
func (w *world) all(do func(r *rand.Rand)) {
	var wg sync.WaitGroup
	for i := range operators {
		wg.Go(func() { do(rand.New(rand.NewPCG(w.seed, uint64(i)))) })
	}
	wg.Wait()
}

// close ends the system in the way that the seed says, and looks at the books.
func (w *world) close() {
	end := endings[w.seed/2%uint64(len(endings))]
	early := w.seed%3 == 0
	if early {
		w.retire()
	}
	end.do(w)
	w.idle()
	if !early {
		w.retire()
	}
	w.hear()
	if end.name != "destroy" {
		w.disband()
	}
	w.audit(end.name)
	if w.grammar != nil {
		w.grammar.audit()
	}
	w.lower()
	w.closeWeb()
	runtime.GOMAXPROCS(w.procs)
	require.NotZero(w.t, w.runs.Load(), "it did nothing")
}
