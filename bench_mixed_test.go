package cmwq_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cmwq/cmwq"
)

// The mixed workloads are open loops: tasks arrive by the clock, whatever the
// executor does, and a task's latency is its start less its scheduled arrival.
// Each benchmark iteration runs every executor once, interleaved; the medians of
// the iterations and the ratio to `go func` are reported.

// executor runs a task; sleep is how the task sleeps there.
type executor struct {
	name   string
	submit func(task func(sleep func(time.Duration)))
	close  func()
	note   func() string
}

func goExecutor() executor {
	return executor{"go", func(task func(func(time.Duration))) { go task(time.Sleep) }, func() {}, nil}
}

// chanExecutor is the pool everybody writes: a channel and two workers.
func chanExecutor() executor {
	ch := make(chan func(func(time.Duration)), 1<<16)
	for range 2 {
		go func() {
			for task := range ch {
				task(time.Sleep)
			}
		}()
	}
	return executor{"chan2", func(task func(func(time.Duration))) { ch <- task }, func() { close(ch) }, nil}
}

func cmwqExecutor(b *testing.B, declared bool) executor {
	sys, err := cmwq.New()
	if err != nil {
		b.Fatal(err)
	}
	q, err := sys.NewQueue("bench")
	if err != nil {
		b.Fatal(err)
	}
	return executor{"cmwq", func(task func(func(time.Duration))) {
		_ = q.Go(func(ctx *cmwq.Context) error {
			if declared {
				task(func(d time.Duration) { _ = ctx.Sleep(d) })
			} else {
				task(time.Sleep)
			}
			return nil
		})
	}, func() { _ = sys.Stop(context.Background()) }, nil}
}

// openLoop submits n tasks, per of them each millisecond. start is called by a
// task when it begins, end when it is done.
func openLoop(n, per int, submit func(i int, start, end func())) (makespan time.Duration, lat []time.Duration) {
	lat = make([]time.Duration, n)
	var left sync.WaitGroup
	left.Add(n)
	begin := time.Now()
	for i := 0; i < n; {
		due := begin.Add(time.Duration(i/per) * time.Millisecond)
		if w := time.Until(due); w > 0 {
			time.Sleep(w)
		}
		for k := 0; k < per && i < n; k++ {
			slot := &lat[i]
			submit(i, func() { *slot = time.Since(due) }, left.Done)
			i++
		}
	}
	left.Wait()
	return time.Since(begin), lat
}

func busyGoroutines(k int) (stop func()) {
	var done atomic.Bool
	var wg sync.WaitGroup
	for range k {
		wg.Go(func() {
			for !done.Load() {
				burn(50 * time.Microsecond)
			}
		})
	}
	return func() { done.Store(true); wg.Wait() }
}

// burn uses CPU for d, whatever the clock says meanwhile.
func burn(d time.Duration) { burned.Store(iterate(uint64(float64(d) * perNs()))) }

var burned atomic.Uint64

//go:noinline
func iterate(n uint64) uint64 {
	x := n | 1
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

var perNs = sync.OnceValue(func() float64 {
	best := 0.0
	for range 20 {
		const n = 1_000_000
		t := time.Now()
		burned.Store(iterate(n))
		best = max(best, n/float64(time.Since(t)))
	}
	return best
})

// pipeBlock blocks in a raw read for d: a system call that the runtime does not
// know to be slow.
func pipeBlock(d time.Duration) {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	fd := r.Fd() // blocking from now on
	_ = fd
	time.AfterFunc(d, func() { _, _ = w.Write([]byte{1}) })
	var b [1]byte
	_, _ = r.Read(b[:])
	_ = r.Close()
	_ = w.Close()
}

type figures struct{ makespan, p50, p99 []float64 }

func (f *figures) add(d time.Duration, lat []time.Duration) {
	slices.Sort(lat)
	ms := func(d time.Duration) float64 { return float64(d) / 1e6 }
	f.makespan = append(f.makespan, ms(d))
	f.p50 = append(f.p50, ms(lat[len(lat)/2]))
	f.p99 = append(f.p99, ms(lat[len(lat)*99/100]))
}

func median(x []float64) float64 { slices.Sort(x); return x[len(x)/2] }

func benchMixed(b *testing.B, declared bool, run func(e executor) (time.Duration, []time.Duration)) {
	perNs()
	got := map[string]*figures{"go": {}, "chan2": {}, "cmwq": {}}
	for range b.N {
		for _, e := range []executor{goExecutor(), chanExecutor(), cmwqExecutor(b, declared)} {
			d, lat := run(e)
			got[e.name].add(d, lat)
			e.close()
		}
	}
	for name, f := range got {
		b.ReportMetric(median(f.p50), name+"-p50-ms")
		b.ReportMetric(median(f.p99), name+"-p99-ms")
	}
	b.ReportMetric(median(got["cmwq"].p99)/median(got["go"].p99), "p99/go")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkMixed: 2000 tasks, 10 a millisecond, of which a tenth sleeps 10 ms and
// the rest burns 50 µs of CPU; c sleeps undeclared, c' declared, csys in a read
// of a pipe; +n beside n busy goroutines that have nothing to do with it.
func BenchmarkMixed(b *testing.B) {
	sleeps := make([]bool, 2000)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range sleeps {
		sleeps[i] = rng.IntN(10) == 0
	}
	for _, c := range []struct {
		name     string
		busy     int
		declared bool
		block    func(time.Duration)
	}{
		{"c", 0, false, nil}, {"c'", 0, true, nil}, {"csys", 0, false, pipeBlock},
		{"c+2", 2, false, nil}, {"c+4", 4, false, nil}, {"c'+2", 2, true, nil},
	} {
		b.Run(c.name, func(b *testing.B) {
			benchMixed(b, c.declared, func(e executor) (time.Duration, []time.Duration) {
				defer busyGoroutines(c.busy)()
				return openLoop(len(sleeps), 10, func(i int, start, end func()) {
					e.submit(func(sleep func(time.Duration)) {
						start()
						switch {
						case !sleeps[i]:
							burn(50 * time.Microsecond)
						case c.block != nil:
							c.block(10 * time.Millisecond)
						default:
							sleep(10 * time.Millisecond)
						}
						end()
					})
				})
			})
		})
	}
}

// BenchmarkHogs: 1000 tasks of 20 µs, 5 a millisecond, and k hogs of 100 ms CPU
// at 20 ms; the p99 is of the short ones.
func BenchmarkHogs(b *testing.B) {
	for k := range 3 {
		b.Run(fmt.Sprintf("k=%d", k), func(b *testing.B) {
			benchMixed(b, false, func(e executor) (time.Duration, []time.Duration) {
				var hogs sync.WaitGroup
				defer hogs.Wait()
				return openLoop(1000, 5, func(i int, start, end func()) {
					if i == 100 {
						for range k {
							hogs.Add(1)
							e.submit(func(func(time.Duration)) { burn(100 * time.Millisecond); hogs.Done() })
						}
					}
					e.submit(func(func(time.Duration)) {
						start()
						burn(20 * time.Microsecond)
						end()
					})
				})
			})
		})
	}
}
