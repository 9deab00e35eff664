package load

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/tests/peers/system"
)

func TestQuantiles(t *testing.T) {
	var l latencies
	require.Equal(t, []float64{0, 0}, l.ms(.5, 1), "of nothing")
	for i := range 200 {
		l = append(l, time.Duration(200-i)*time.Millisecond)
	}
	require.Equal(t, []float64{198, 100, 200, 200, 1}, l.ms(.99, .5, .999, 1, 0))
	require.Equal(t, []float64{100_000}, l.us(.5))
}

// A producer that is held up for 2 ms by each task, where one is due each millisecond, is
// later by one with each.
func TestOpenLoopCountsFromTheSchedule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOpenLoop(steady(10, 1))
		require.NoError(t, o.run(Env{Timeout: time.Minute}, func(i int) {
			o.started(i)
			time.Sleep(2 * time.Millisecond)
			o.one()
		}))
		for i, late := range o.lat {
			require.Equal(t, time.Duration(i)*time.Millisecond, late, "task %d", i)
		}
		require.Equal(t, 20*time.Millisecond, o.makespan)
	})
}

func TestArrivals(t *testing.T) {
	require.Equal(t, arrivals{0, 0, time.Millisecond, time.Millisecond, 2 * time.Millisecond}, steady(5, 2))
	p := poisson(10_000, 1e6)
	require.True(t, slices.IsSorted(p))
	require.InEpsilon(t, 10*time.Millisecond, p[len(p)-1], 0.05)
	require.Equal(t, p, poisson(10_000, 1e6), "the same for all systems")
}

func TestEnv(t *testing.T) {
	var e Env
	require.Equal(t, 1000, e.long(1000, 100*time.Millisecond))
	require.Equal(t, 4000, e.long(1000, 25*time.Millisecond))
	require.Equal(t, 1000, e.long(1000, time.Hour), "no fewer")
	require.Equal(t, 10_000_000, e.long(1000, 0))
}

func TestCost(t *testing.T) {
	c := cost{wall: 4 * time.Microsecond, cpu: 6 * time.Microsecond, allocs: 2, bytes: 10}
	require.Equal(t, []float64{2000, 3000, 1, 5}, c.each(2))
	require.Equal(t, []float64{50, 1000}, c.beside(cost{wall: 2 * time.Microsecond, cpu: 4 * time.Microsecond}, 2))
}

// What a list of nodes of 16 bytes holds is 16 bytes a task, beside the closures.
func TestMemoryIsBesideTheClosure(t *testing.T) {
	s := system.System{Name: "nodes", Queues: true, Make: func(s system.Setup) (system.Executor, error) {
		return newNodes(s.Limit), nil
	}}
	b, err := fill(Env{Limit: 2, Timeout: time.Minute}, s, 200_000, true)
	require.NoError(t, err)
	require.NoError(t, b.empty(Env{Timeout: time.Minute}))
	require.InDelta(t, 16, b.bytes, 1.5)
}

// nodes is a system that queues in a list.
type nodes struct {
	mu          sync.Mutex
	more        *sync.Cond
	first, last *node
	closed      bool
	workers     sync.WaitGroup
}

type node struct {
	next *node
	f    func()
}

func newNodes(limit int) *nodes {
	e := &nodes{}
	e.more = sync.NewCond(&e.mu)
	for range limit {
		e.workers.Go(func() {
			for f := e.take(); f != nil; f = e.take() {
				f()
			}
		})
	}
	return e
}

func (e *nodes) take() (f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for e.first == nil && !e.closed {
		e.more.Wait()
	}
	if n := e.first; n != nil {
		e.first = n.next
		f = n.f
	}
	return f
}

func (e *nodes) add(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := &node{f: f}
	if e.first == nil {
		e.first = n
	} else {
		e.last.next = n
	}
	e.last = n
	e.more.Signal()
}

func (e *nodes) Producer(task func()) func()  { return func() { e.add(task) } }
func (e *nodes) Submit(body func(int), i int) { e.add(func() { body(i) }) }

func (e *nodes) Close() {
	e.mu.Lock()
	e.closed = true
	e.more.Broadcast()
	e.mu.Unlock()
	e.workers.Wait()
}
