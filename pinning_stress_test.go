//go:build linux

package cmwq_test

import (
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/internal/threads"
)

// Pinned workers sleep, hog, panic and end their threads, while CPUs go and come,
// priorities change and somebody looks: everything runs once, where it should, and no
// thread is left.
func TestStressPinned(t *testing.T) {
	cpus, err := threads.Bound(os.Getpid())
	require.NoError(t, err)
	sys := start(t, cmwq.WithPinning(), silent())
	all := sys.Topology().CPUs()
	var ids sync.Map
	var ran atomic.Int64
	item := func(n int) func(*cmwq.Context) error {
		return func(ctx *cmwq.Context) error {
			ran.Add(1)
			ids.Store(threads.ID(), nil)
			assert.False(t, threads.Main())
			switch n % 16 {
			case 0:
				runtime.Goexit()
			case 1:
				panic(n)
			case 2:
				return ctx.Sleep(time.Duration(rand.IntN(1000)) * time.Microsecond)
			case 3:
				time.Sleep(time.Duration(rand.IntN(1000)) * time.Microsecond)
			case 4:
				spin(time.Duration(rand.IntN(int(15 * time.Millisecond))))
			case 5:
				ctx.Block(func() { time.Sleep(time.Duration(rand.IntN(500)) * time.Microsecond) })
			}
			return nil
		}
	}
	nicer := queue(t, sys, "nicer", cmwq.Nice(3))
	queues := []*cmwq.Queue{
		queue(t, sys, "cpu", cmwq.PerCPU()), queue(t, sys, "high", cmwq.PerCPU(), cmwq.HighPri()),
		nicer, queue(t, sys, "one", cmwq.Ordered(), cmwq.Nice(1)), queue(t, sys, "unbound", cmwq.Unbound(), cmwq.Nice(2)),
	}
	var work, others sync.WaitGroup
	end := make(chan struct{})
	others.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-end:
				return
			default:
			}
			online := all
			if n%2 == 0 && all.Size() > 1 {
				online = cpuset.New(all.List()[n/2%all.Size()])
			}
			assert.NoError(t, sys.SetOnline(t.Context(), online))
			assert.NoError(t, nicer.SetAttrs(t.Context(), cmwq.Nice(1+n%5)))
			_, err := sys.Snapshot(t.Context())
			assert.NoError(t, err)
		}
	})
	each := short.AtLeast(24, 300)
	for _, q := range queues {
		work.Go(func() {
			for n := range each {
				if err := q.QueueOn(all.List()[n%all.Size()], cmwq.NewWork(item(n))); err != nil {
					t.Error(err)
				}
			}
			assert.NoError(t, q.Flush(t.Context()))
		})
	}
	work.Wait()
	close(end)
	others.Wait()
	require.Equal(t, int64(each*len(queues)), ran.Load())
	require.NoError(t, sys.Stop(t.Context()))
	ids.Range(func(id, _ any) bool { threadEnds(t, id.(int)); return true })
	got, err := threads.Bound(os.Getpid())
	require.NoError(t, err)
	require.Equal(t, cpus, got)
}

// Who is kept from its CPU is said to be starved by others, and is no hog.
func TestPinnedAndStarved(t *testing.T) {
	if !mayNice() {
		t.Skip("threads may have no priority above others here")
	}
	if line, _ := os.ReadFile("/proc/self/schedstat"); len(line) == 0 || string(line) == "0 0 0\n" {
		t.Skip("this kernel does not count waits")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4)) // a starved thread keeps one to itself
	sys := start(t, cmwq.WithPinning(), silent())
	q, high := queue(t, sys, "q", cmwq.PerCPU()), queue(t, sys, "high", cmwq.PerCPU(), cmwq.HighPri())
	var end atomic.Bool
	defer end.Store(true)
	began := make(chan struct{}, 2)
	burn := func(*cmwq.Context) error {
		began <- struct{}{}
		for !end.Load() {
		}
		return nil
	}
	cpu := sys.Topology().CPUs().List()[0]
	require.NoError(t, q.QueueOn(cpu, cmwq.NewWork(burn)))
	<-began
	require.NoError(t, high.QueueOn(cpu, cmwq.NewWork(burn)))
	<-began
	find := func(queue string) *cmwq.Thread {
		snap, err := sys.Snapshot(t.Context())
		if !assert.NoError(t, err) {
			return nil
		}
		for _, q := range snap.Queues {
			if q.Name == queue && len(q.Shares) > 0 && len(q.Shares[0].InFlight) > 0 {
				return q.Shares[0].InFlight[0].Thread
			}
		}
		return nil
	}
	require.Eventually(t, func() bool { return find("q").Starved() }, 20*time.Second, 10*time.Millisecond)
	require.Regexp(t, "starved by others: ran .* on CPU [0-9]+, waited .* for it", find("q").String())
	end.Store(true)
	require.NoError(t, q.Flush(t.Context()))
	require.NoError(t, high.Flush(t.Context()))
}
