package cmwq_test

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

const pkg = "github.com/cmwq/cmwq_test."

func busyItem(ctx *cmwq.Context) error {
	ctx.SetDesc("page %d", 7)
	return ctx.Sleep(10 * time.Second)
}

// Kernel: show_all_workqueues. In flight with seconds, pending, inactive, barriers,
// folding.
func TestDump(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.PerCPU(), cmwq.MaxActive(4), cmwq.HighPri())
		queue(t, sys, "idle")
		require.NoError(t, q.Go(busyItem))
		synctest.Wait()
		hold, entered, open := latch()
		require.NoError(t, q.Queue(hold)) // beside the one that sleeps; the rest waits for it
		<-entered
		defer func() { open <- struct{}{} }()
		var w [9]*cmwq.Work
		for i := range w {
			w[i] = cmwq.NewWork(anotherItem)
		}
		other := cmwq.NewWork(hogItem)
		for _, x := range []*cmwq.Work{w[0], w[1], w[2], w[3], other, w[4], w[5], w[6]} {
			require.NoError(t, q.Queue(x))
		}
		flush := func(x *cmwq.Work) { go func() { _ = x.Flush(bg) }(); synctest.Wait() }
		flush(w[1])
		flush(w[2])
		flush(w[2])
		flush(hold)
		flush(w[5])
		time.Sleep(250 * time.Millisecond)

		snap, err := sys.Snapshot(bg)
		require.NoError(t, err)
		require.Len(t, snap.Queues, 2)
		require.Equal(t, "idle", snap.Queues[0].Name)
		require.False(t, snap.Queues[0].Busy())
		got := snap.Queues[1]
		require.Equal(t, []string{"percpu", "highpri"}, got.Flags)
		require.Len(t, got.Shares, 1)
		s := got.Shares[0]
		require.Equal(t, []int{4, 6, 4}, []int{s.Active, s.Inactive, s.MaxActive})
		require.Equal(t, []cmwq.InFlight{
			{Worker: "kworker/0:0H", Func: pkg + "busyItem", Desc: "page 7", For: 250 * time.Millisecond, State: "sleeping"},
			{Worker: "kworker/0:1H", Func: s.InFlight[1].Func, For: 250 * time.Millisecond, State: "running", Waiters: 1},
		}, s.InFlight)
		require.Contains(t, s.InFlight[1].Func, "latch")
		require.Equal(t, []cmwq.Run{{Func: pkg + "anotherItem", N: 2, Waiters: 1}}, s.Pending)
		require.Equal(t, []cmwq.Run{
			{Func: pkg + "anotherItem", N: 1, Waiters: 2}, // a barrier ends the run
			{Func: pkg + "anotherItem", N: 1},
			{Func: pkg + "hogItem", N: 1},
			{Func: pkg + "anotherItem", N: 2, Waiters: 1},
			{Func: pkg + "anotherItem", N: 1},
		}, s.Held)

		require.Len(t, snap.Pools, 2, "the other queue's, too")
		p := snap.Pools[0]
		require.Equal(t, []string{"0", "percpu", "kworker/0:2H"}, append([]string{p.Name, p.Kind}, p.Idle...))
		require.Equal(t, []int{1, 1, 2, 3}, []int{p.Width, p.Running, p.Waiting, p.Workers})
		require.InDelta(t, 250*time.Millisecond, p.Hung, float64(time.Millisecond))
		require.True(t, p.HighPri && p.Busy())

		var b strings.Builder
		require.NoError(t, sys.Dump(bg, &b))
		text := strings.ReplaceAll(b.String(), pkg, "")
		text = strings.ReplaceAll(text, strings.TrimPrefix(s.InFlight[1].Func, pkg), "latch")
		require.Equal(t, `queue q: percpu highpri
  on pool 0: cpus=0 node=0 nice=-20 active 4/4
    in flight: kworker/0:0H busyItem for 0.25s, sleeping, "page 7"
    in flight: kworker/0:1H latch for 0.25s, running, waited for by 1
    pending: 2*anotherItem BAR(1)
    inactive: anotherItem BAR(2), anotherItem, hogItem, 2*anotherItem BAR(1), anotherItem
pool 0: cpus=0 node=0 nice=-20 percpu highpri, running 1/1, workers 3, waiting 2, hung 0.25s, idle: kworker/0:2H
`, text)
		open <- struct{}{} // and once more at the end, for nobody
		require.NoError(t, q.Flush(bg))
		b.Reset()
		require.NoError(t, sys.Dump(bg, &b))
		require.Equal(t, "every queue is empty\n", b.String())
		require.NoError(t, sys.Stop(bg))
		require.ErrorIs(t, sys.Dump(bg, &b), cmwq.ErrStopped)
	}, cmwq.WithHogThreshold(0), noGauges())
}

// What a worker will run next is told beside what it runs: the rest of its lease,
// and the item itself if it was queued again meanwhile.
func TestDumpTellsWhatIsScheduled(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Ordered())
		for range 3 {
			require.NoError(t, q.Go(anotherItem)) // known to be short from now on
			require.NoError(t, q.Flush(bg))
		}
		first, firstIn, firstOpen := latch()
		hold, entered, open := latch()
		require.NoError(t, q.Queue(first))
		<-firstIn
		require.NoError(t, q.Queue(hold))
		for range 5 {
			require.NoError(t, q.Go(anotherItem))
		}
		firstOpen <- struct{}{}
		<-entered
		snap, err := sys.Snapshot(bg)
		require.NoError(t, err)
		e := snap.Queues[0].Shares[0].InFlight[0]
		require.Contains(t, e.Func, "latch")
		require.Equal(t, []cmwq.Run{{Func: pkg + "anotherItem", N: 5}}, e.Scheduled)
		open <- struct{}{}
		require.NoError(t, q.Flush(bg))
	}, cmwq.WithHogThreshold(0), noGauges())
}

// A rescuer's lease is picked from the list, and told of like any other.
func TestDumpNamesWhatARescuerRuns(t *testing.T) {
	starved(t, func(t *testing.T, sys *cmwq.System, hunger *famine, sleeper *gate) {
		q := queue(t, sys, "q", cmwq.PerCPU(), cmwq.MemReclaim(), cmwq.Freezable())
		hold, entered, open := latch()
		require.NoError(t, q.Queue(hold))
		<-entered
		snap, err := sys.Snapshot(bg)
		require.NoError(t, err)
		var found []string
		for _, x := range snap.Queues {
			for _, s := range x.Shares {
				for _, e := range s.InFlight {
					if e.Worker == "kworker/R-q" {
						require.Contains(t, e.Func, "latch")
						found = x.Flags
					}
				}
			}
		}
		require.Equal(t, []string{"percpu", "mem_reclaim", "freezable"}, found)
		var b strings.Builder
		require.NoError(t, snap.WriteFreezable(&b))
		require.Contains(t, b.String(), "\n    in flight: kworker/R-q(RESCUER) ")
		require.NotContains(t, b.String(), "queue sleeper", "it is not freezable")
		require.Contains(t, b.String(), " active 1/1024 MAYDAY\n")
		open <- struct{}{}
		hunger.on.Store(false)
		require.NoError(t, q.Flush(bg))
		close(sleeper.open)
	})
}

// A dump of a long list is short, and says that it left something out.
func TestDumpIsBounded(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.BH())
		hold, entered, open := latch()
		require.NoError(t, q.Queue(hold))
		<-entered
		for i := range short.AtLeast(12000, 30000) {
			f := anotherItem
			if i%2 == 0 && i < 100 {
				f = hogItem
			}
			require.NoError(t, q.Go(f))
		}
		snap, err := sys.Snapshot(bg)
		require.NoError(t, err)
		pending := snap.Queues[0].Shares[0].Pending
		require.Equal(t, cmwq.Run{Func: "...", N: 1}, pending[len(pending)-1])
		require.LessOrEqual(t, len(pending), 101)
		open <- struct{}{}
	}, noGauges())
}

// Stop waits for an item: a dump tells for which.
func TestDumpWhileStopping(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		hold, entered, open := latch()
		require.NoError(t, q.Queue(hold))
		<-entered
		stopped := make(chan error)
		go func() { stopped <- sys.Stop(bg) }()
		synctest.Wait()
		var b strings.Builder
		require.NoError(t, sys.Dump(bg, &b))
		require.Contains(t, b.String(), "queue q: managed draining\n")
		require.Contains(t, b.String(), "latch")
		open <- struct{}{}
		require.NoError(t, <-stopped)
		require.ErrorIs(t, sys.Dump(bg, &b), cmwq.ErrStopped)
	}, noGauges())
}

// Snapshots while everything happens: each is consistent in itself, and nothing
// that runs is disturbed.
func TestStressSnapshot(t *testing.T) {
	for name, kind := range withBH() {
		t.Run(name, func(t *testing.T) {
			sys := start(t, silent())
			q := queue(t, sys, "q", kind)
			var ran, accepted atomic.Int64
			var items [5]*cmwq.Work
			for i := range items {
				items[i] = cmwq.NewWork(func(ctx *cmwq.Context) error {
					if ran.Add(1)%50 == 0 {
						ctx.SetDesc("a while")
						_ = ctx.Sleep(10 * time.Microsecond)
					}
					return nil
				})
			}
			stop := make(chan struct{})
			var snaps, wg sync.WaitGroup
			snaps.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					snap, err := sys.Snapshot(bg)
					if err != nil {
						t.Error(err)
						return
					}
					for _, p := range snap.Pools {
						if p.Workers < len(p.Idle) || p.Running > p.Workers-len(p.Idle) {
							t.Errorf("pool %+v", p)
						}
						waiting := 0
						for _, s := range p.Shares {
							for _, r := range s.Pending {
								waiting += r.N
							}
						}
						if waiting > p.Waiting {
							t.Errorf("%d pending of %d waiting", waiting, p.Waiting)
						}
					}
				}
			})
			for range 4 {
				wg.Go(func() {
					for i := range short.Rounds(3000) {
						switch err := q.Queue(items[i%len(items)]); {
						case err == nil:
							accepted.Add(1)
						case !errors.Is(err, cmwq.ErrPending):
							t.Error(err)
						}
						if i%7 == 0 && q.Go(func(*cmwq.Context) error { ran.Add(1); return nil }) == nil {
							accepted.Add(1)
						}
						if i%97 == 0 {
							_ = items[i%len(items)].Flush(bg)
						}
					}
				})
			}
			wg.Wait()
			close(stop)
			snaps.Wait()
			require.NoError(t, q.Flush(bg))
			require.Equal(t, accepted.Load(), ran.Load())
		})
	}
}
