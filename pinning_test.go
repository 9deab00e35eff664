//go:build linux

package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/threads"
	"github.com/cmwq/cmwq/topology"
)

// at is what an item finds of its thread.
type at struct {
	thread, nice int
	cpus         cpuset.CPUSet
}

func thisThread() (at, error) {
	cpus, err := threads.Bound(threads.Self)
	if err != nil {
		return at{}, err
	}
	nice, err := threads.GetNice(threads.Self)
	return at{threads.ID(), nice, cpus}, err
}

// runsAt runs an item on a CPU's pool, and says what it found.
func runsAt(t testing.TB, q *cmwq.Queue, cpu int) at {
	t.Helper()
	a, err := cmwq.SubmitOn(q, cpu, func(*cmwq.Context) (at, error) { return thisThread() }).Wait(t.Context())
	require.NoError(t, err)
	return a
}

func firstCPU(sys *cmwq.System) int { return sys.Topology().CPUs().List()[0] }

// mayNice says whether threads of this process may have more than others.
func mayNice() bool {
	ok := make(chan bool)
	go func() {
		runtime.LockOSThread() // and ends
		ok <- threads.SetNice(threads.Self, -20) == nil
	}()
	return <-ok
}

// threadEnds waits for the end of a thread of this process.
func threadEnds(t testing.TB, id int) {
	t.Helper()
	require.Eventually(t, func() bool {
		_, err := os.Stat(fmt.Sprintf("/proc/self/task/%d", id))
		return errors.Is(err, os.ErrNotExist)
	}, 10*time.Second, time.Millisecond, "thread %d is still there", id)
}

// Workers of per-CPU queues stay on their CPU, each on a thread of its own that ends with
// it; all others are where they always were.
func TestPinnedWorkers(t *testing.T) {
	plain, err := thisThread()
	require.NoError(t, err)
	sys := start(t, cmwq.WithPinning())
	q, high := queue(t, sys, "q", cmwq.PerCPU()), queue(t, sys, "high", cmwq.PerCPU(), cmwq.HighPri())
	var ends []int
	for _, cpu := range sys.Topology().CPUs().List() {
		a := runsAt(t, q, cpu)
		require.Equal(t, at{a.thread, plain.nice, cpuset.New(cpu)}, a)
		h := runsAt(t, high, cpu)
		require.NotEqual(t, a.thread, h.thread)
		require.Equal(t, a.cpus, h.cpus)
		if mayNice() {
			require.Equal(t, -20, h.nice)
		}
		ends = append(ends, a.thread, h.thread)
	}
	for _, kind := range []cmwq.QueueOption{cmwq.MaxActive(0), cmwq.Unbound(), cmwq.Ordered(), cmwq.BH()} {
		a := runsAt(t, queue(t, sys, fmt.Sprintf("%p", kind), kind), firstCPU(sys))
		require.Equal(t, plain.cpus, a.cpus)
		require.Equal(t, plain.nice, a.nice)
		require.NotContains(t, ends, a.thread)
	}
	require.NoError(t, sys.Stop(t.Context()))
	for _, id := range ends {
		threadEnds(t, id)
	}
}

// Other queues have threads if they ask for what only threads have.
func TestPinnedByAttributes(t *testing.T) {
	plain, err := thisThread()
	require.NoError(t, err)
	sys := start(t, cmwq.WithPinning(), cmwq.WithScope(topology.ScopeCPU))
	all := sys.Topology().CPUs()
	one := cpuset.New(all.List()[0])
	for name, x := range map[string]struct {
		opts []cmwq.QueueOption
		cpus cpuset.CPUSet
		nice int
	}{
		"nice":    {[]cmwq.QueueOption{cmwq.Nice(7)}, all, 7},
		"unbound": {[]cmwq.QueueOption{cmwq.Unbound(), cmwq.Nice(19)}, all, 19},
		"strict":  {[]cmwq.QueueOption{cmwq.Affinity(topology.ScopeCPU, true)}, one, plain.nice},
		"cpus":    {[]cmwq.QueueOption{cmwq.Ordered(), cmwq.CPUs(one)}, one, plain.nice},
	} {
		a := runsAt(t, queue(t, sys, name, x.opts...), one.List()[0])
		if name == "cpus" && all.Size() == 1 {
			continue // that is no wish
		}
		require.Equal(t, x.nice, a.nice, name)
		require.Equal(t, x.cpus, a.cpus, name)
	}
}

// An item that ends its goroutine ends the thread, too, and the worker goes on with
// another one.
func TestPinnedGoexit(t *testing.T) {
	sys := start(t, cmwq.WithPinning(), silent())
	q := queue(t, sys, "q", cmwq.PerCPU())
	of := map[string]int{} // a worker's thread
	for i := range 20 {
		var worker string
		var thread int
		_, err := cmwq.SubmitOn(q, firstCPU(sys), func(ctx *cmwq.Context) (int, error) {
			worker, thread = ctx.Worker(), threads.ID()
			if i%4 == 3 {
				runtime.Goexit()
			}
			return 0, nil
		}).Wait(t.Context())
		if before, ok := of[worker]; ok {
			require.Equal(t, before, thread, "a worker stays on its thread")
		}
		if of[worker] = thread; i%4 == 3 {
			require.ErrorIs(t, err, cmwq.ErrGoexit)
			threadEnds(t, thread)
			delete(of, worker)
		}
		require.Equal(t, cpuset.New(firstCPU(sys)), runsAt(t, q, firstCPU(sys)).cpus)
	}
}

// Of a CPU that is down the workers run anywhere, old and new ones, and they come back.
func TestPinnedHotplug(t *testing.T) {
	sys := start(t, cmwq.WithPinning())
	cpus := sys.Topology().CPUs()
	if cpus.Size() < 2 {
		t.Skip("one CPU")
	}
	first, last := cpuset.New(cpus.List()[0]), cpus.List()[cpus.Size()-1]
	q := queue(t, sys, "q", cmwq.PerCPU())
	require.Equal(t, cpuset.New(last), runsAt(t, q, last).cpus)

	held := newGate()
	require.NoError(t, q.QueueOn(last, held.Work))
	<-held.entered
	require.NoError(t, sys.SetOnline(t.Context(), first))
	require.Equal(t, cpus, runsAt(t, q, last).cpus)
	require.NoError(t, sys.SetOnline(t.Context(), cpus))
	require.Equal(t, cpuset.New(last), runsAt(t, q, last).cpus)
	close(held.open)
	require.NoError(t, q.Flush(t.Context()))
	require.Equal(t, cpuset.New(last), runsAt(t, q, last).cpus)
}

// onCreate is called whenever a worker was made, before its pool knows.
type onCreate func()

func (onCreate) Kinds() cmwq.EventKinds { return cmwq.KindsOf(cmwq.EventCreate) }
func (f onCreate) Observe(cmwq.Event)   { f() }

// A worker that is made while its CPU comes back is bound to it as the others are.
func TestPinnedWorkerIsMadeAsItsCPUComesBack(t *testing.T) {
	back, done := make(chan struct{}, 1), make(chan struct{}, 1)
	var sys *cmwq.System
	sys = start(t, cmwq.WithPinning(), cmwq.WithObserver(onCreate(func() {
		select {
		case <-back:
			time.Sleep(time.Millisecond) // its thread begins meanwhile, and is bound as it was
			assert.NoError(t, sys.SetOnline(bg, sys.Topology().CPUs()))
			done <- struct{}{}
		default:
		}
	})))
	cpus := sys.Topology().CPUs()
	if cpus.Size() < 2 {
		t.Skip("one CPU")
	}
	first, last := cpuset.New(cpus.List()[0]), cpus.List()[cpus.Size()-1]
	q := queue(t, sys, "q", cmwq.PerCPU())
	// atOnce has so many workers run at once, and gives the CPUs of each.
	atOnce := func(n int) (cpus []cpuset.CPUSet) {
		var together sync.WaitGroup
		together.Add(n)
		futures := make([]*cmwq.Future[at], n)
		for i := range futures {
			futures[i] = cmwq.SubmitOn(q, last, func(ctx *cmwq.Context) (at, error) {
				together.Done()
				ctx.Block(together.Wait)
				return thisThread()
			})
		}
		for _, f := range futures {
			a, err := f.Wait(t.Context())
			require.NoError(t, err)
			cpus = append(cpus, a.cpus)
		}
		return cpus
	}
	for n := 2; n < 7; n++ {
		require.NoError(t, sys.SetOnline(bg, first))
		back <- struct{}{}
		atOnce(n)
		select {
		case <-done:
		case <-back:
			continue // there were enough
		}
		for _, found := range atOnce(n) {
			require.Equal(t, cpuset.New(last), found)
		}
	}
}

// CPUs that are not there are no CPUs to be bound to, and the system is not started.
func TestPinningRefused(t *testing.T) {
	topo, err := topology.Uniform(1, 1, 4096, 1)
	require.NoError(t, err)
	_, err = cmwq.New(cmwq.WithPinning(), cmwq.WithTopology(topo))
	require.ErrorIs(t, err, cmwq.ErrPinning)
	require.ErrorContains(t, err, "may not use CPU")
}

// What only waits is asleep, and what burns is not: the thread says so, not a guess.
func TestPinnedSleepers(t *testing.T) {
	sys := start(t, cmwq.WithPinning(), silent(), cmwq.WithHogThreshold(0))
	q := queue(t, sys, "q", cmwq.PerCPU())
	release := make(chan struct{})
	require.NoError(t, q.QueueOn(firstCPU(sys), cmwq.NewWork(func(*cmwq.Context) error { <-release; return nil })))
	runsAt(t, q, firstCPU(sys)) // starts beside it
	close(release)
	require.NoError(t, q.Flush(t.Context()))
}

// A hog is one by the CPU time of its thread, which the report has.
func TestPinnedHog(t *testing.T) {
	hogs := make(chan cmwq.Hog, 16)
	sys := start(t, cmwq.WithPinning(), silent(), cmwq.WithHogReport(1), cmwq.WithOnHog(func(h cmwq.Hog) {
		select {
		case hogs <- h:
		default:
		}
	}))
	q := queue(t, sys, "q", cmwq.PerCPU())
	burn := func(ctx *cmwq.Context) error {
		begun := threads.Clock(threads.Self) // the thread may have run something before
		for ctx.Err() == nil && threads.Clock(threads.Self)-begun < 200*time.Millisecond {
		}
		return nil
	}
	// A thread whose goroutine waits for one of GOMAXPROCS is asleep for all that the
	// operating system says: then that is what is found, and no hog.
	for range 20 {
		require.NoError(t, q.QueueOn(firstCPU(sys), cmwq.NewWork(burn)))
		runsAt(t, q, firstCPU(sys)) // when a rule let it
		require.NoError(t, q.Flush(context.Background()))
		if stats(t, q).CPUHog > 0 {
			break
		}
	}
	require.Equal(t, int64(1), stats(t, q).CPUHog)
	h := <-hogs
	require.Equal(t, strconv.Itoa(firstCPU(sys)), h.Thread.CPUs)
	require.GreaterOrEqual(t, h.Thread.Ran, 10*time.Millisecond)
	require.Contains(t, h.Thread.String(), "ran ")
}

// A worker that ran elsewhere is brought back when it is woken, and may leave again.
func TestPinnedRepatriation(t *testing.T) {
	sys := start(t, cmwq.WithPinning(), cmwq.WithScope(topology.ScopeCPU))
	cpus := sys.Topology().CPUs()
	if cpus.Size() < 2 {
		t.Skip("one CPU")
	}
	q := queue(t, sys, "q", cmwq.Nice(1))
	away := cpuset.New(cpus.List()[1])
	gone := map[string]bool{}
	back := func() bool { // only who is brought back may go everywhere again
		var was bool
		a, err := cmwq.SubmitOn(q, firstCPU(sys), func(ctx *cmwq.Context) (at, error) {
			a, err := thisThread()
			was, gone[ctx.Worker()] = gone[ctx.Worker()], true
			return a, errors.Join(err, threads.Bind(threads.Self, away))
		}).Wait(t.Context())
		if err = errors.Join(err, q.Flush(t.Context())); err != nil {
			t.Error(err)
		}
		assert.Equal(t, 1, a.nice)
		return was && a.cpus.Equals(cpus)
	}
	require.Eventually(t, back, 10*time.Second, time.Millisecond)
	require.Positive(t, stats(t, q).Repatriated)
}

// The main thread is nobody's: it outlives every goroutine, and Detect asks what it may.
func TestPinnedSparesTheMainThread(t *testing.T) {
	cpus, err := threads.Bound(os.Getpid())
	require.NoError(t, err)
	sys := start(t, cmwq.WithPinning())
	var all sync.WaitGroup
	q := queue(t, sys, "q", cmwq.PerCPU())
	for i := range 50 {
		all.Add(1)
		require.NoError(t, q.QueueOn(sys.Topology().CPUs().List()[i%sys.Topology().NumCPU()], cmwq.NewWork(func(ctx *cmwq.Context) error {
			defer all.Done()
			assert.False(t, threads.Main())
			return ctx.Sleep(time.Millisecond) // each has a worker
		})))
	}
	all.Wait()
	require.NoError(t, sys.Stop(t.Context()))
	got, err := threads.Bound(os.Getpid())
	require.NoError(t, err)
	require.Equal(t, cpus, got)
}
