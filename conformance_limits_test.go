package cmwq_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

func oneCPU(t *testing.T) cmwq.Option {
	t.Helper()
	topo, err := topology.Uniform(1, 1, 1, 1)
	require.NoError(t, err)
	return cmwq.WithTopology(topo)
}

// Row 18.
func TestMaxActiveIsOfEachCPUOfAPerCPUQueue(t *testing.T) {
	bubble(t, 2, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.PerCPU(), cmwq.MaxActive(3))
		var m meter
		for i := range 20 {
			w := m.work(func(ctx *cmwq.Context) { _ = ctx.Sleep(time.Millisecond) })
			require.NoError(t, q.QueueOn(i%2, w))
		}
		synctest.Wait()
		require.EqualValues(t, 6, m.in.Load())
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.Equal(t, 6, st.Active)
		require.Equal(t, 14, st.Inactive)
		require.NoError(t, q.Flush(bg))
		require.EqualValues(t, 6, m.most.Load())
	})
}

// Row 20: what comes while a raised limit has room stands behind what waited.
func TestRaisingTheLimitKeepsTheOrder(t *testing.T) {
	for name, kind := range map[string]cmwq.QueueOption{"managed": cmwq.HighPri(), "percpu": cmwq.PerCPU()} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q", kind, cmwq.MaxActive(1))
				var ran record
				add := func(from, to int) {
					for i := from; i < to; i++ {
						require.NoError(t, q.Go(func(*cmwq.Context) error { ran.add(i); return nil }))
					}
				}
				free := make(chan struct{})
				require.NoError(t, q.Go(func(*cmwq.Context) error { <-free; return nil }))
				synctest.Wait()
				add(0, 30)
				for i, limit := range []int{2, 5, 40} {
					require.NoError(t, q.SetMaxActive(limit))
					add(30+10*i, 40+10*i)
				}
				synctest.Wait()
				require.Empty(t, ran.get())
				close(free)
				require.NoError(t, q.Flush(bg))
				for i, v := range ran.get() {
					require.Equal(t, i, v)
				}
				require.Len(t, ran.get(), 60)
			}, cmwq.WithHogThreshold(0), noGauges())
		})
	}
}

// Row 21.
func TestClampingWarns(t *testing.T) {
	var log bytes.Buffer
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		warned := func() string {
			synctest.Wait()
			defer log.Reset()
			return log.String()
		}
		q := queue(t, sys, "greedy", cmwq.MaxActive(2049))
		require.Contains(t, warned(), "queue=greedy asked=2049 is=2048")
		require.NoError(t, q.SetMaxActive(-1))
		require.Contains(t, warned(), "queue=greedy asked=-1 is=1")
		for i, fine := range []int{0, 1, 2048} {
			queue(t, sys, strings.Repeat("q", i+1), cmwq.MaxActive(fine))
			require.NoError(t, q.SetMaxActive(fine))
			require.Empty(t, warned(), fine)
		}
	}, cmwq.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
}

// Row 31: who waits for an item stands on no list of items.
func TestFlushersTakeNoSlot(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(1))
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		waits := cmwq.NewWork(func(*cmwq.Context) error { return nil })
		require.NoError(t, q.Queue(waits))
		flushed := make(chan error, 7)
		for range 3 {
			go func() { flushed <- g.Flush(bg) }()
			go func() { flushed <- waits.Flush(bg) }()
		}
		go func() { flushed <- q.Flush(bg) }()
		slots := func() (active, inactive int) {
			synctest.Wait()
			st, err := q.Stats(bg)
			require.NoError(t, err)
			return st.Active, st.Inactive
		}
		active, inactive := slots()
		require.Equal(t, 1, active)
		require.Equal(t, 1, inactive)
		require.Empty(t, flushed)
		g.open <- struct{}{}
		for range cap(flushed) {
			require.NoError(t, <-flushed)
		}
		active, inactive = slots()
		require.Zero(t, active+inactive)
	})
}
