package torture

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/pprof"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

var (
	length = flag.Duration("torture", 10*time.Second, "how long to torture; a second with -short")
	seeded = flag.Uint64("torture.seed", 0, "seed of the first round; 0: of the clock")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	round     = 2 * time.Second  // each has a system of its own
	operators = 8                // goroutines that do things to it
	patience  = 20 * time.Second // a round that takes so much longer hangs
)

// TestTorture runs round after round. A seed gives the same machine, queues,
// operations and items again, though not the same interleaving.
func TestTorture(t *testing.T) {
	d := *length
	if testing.Short() {
		d = time.Second
	}
	seed := *seeded
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	for end := time.Now().Add(d); ; seed++ {
		left := min(round, time.Until(end))
		if left <= 0 || !t.Run("round", func(t *testing.T) { torture(t, seed, left) }) {
			return
		}
	}
}

// torture is one round: make a world, do things to it from all sides, end it one
// way or the other, and check the books.
func torture(t *testing.T, seed uint64, d time.Duration) {
	defer func() {
		if t.Failed() {
			t.Logf("the seed was %d: go test -race -tags invariants ./tests/torture -torture.seed %d", seed, seed)
		}
	}()
	hang := time.AfterFunc(d+patience, func() {
		_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 1)
		panic(fmt.Sprintf("torture: hangs; the seed was %d", seed))
	})
	defer hang.Stop()
	w := newWorld(t, seed)
	var wg sync.WaitGroup
	for i := range operators {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			for stop := time.Now().Add(d); time.Now().Before(stop) && !t.Failed(); {
				w.operate(r)
			}
		})
	}
	wg.Wait()
	end := endings[seed%uint64(len(endings))]
	end.do(w)
	w.idle()
	w.audit(end.name)
	require.NotZero(t, w.runs.Load(), "it did nothing")
}
