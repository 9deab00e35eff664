package cmwq_test

import (
	"errors"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/internal/stacks"
	"github.com/cmwq/cmwq/topology"
)

// stalls keeps what WithOnStall told.
type stalls struct {
	mu  sync.Mutex
	all []cmwq.Stall
}

func (s *stalls) option() cmwq.Option {
	return cmwq.WithOnStall(func(x cmwq.Stall) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.all = append(s.all, x)
	})
}

func (s *stalls) told() []cmwq.Stall {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all
}

// profiles counts goroutine profiles, each of which takes so long, or fails.
type profiles struct {
	mu   sync.Mutex
	n    int
	took time.Duration
	err  error
}

func (p *profiles) option() cmwq.Option {
	return func(o *actors.Options) error {
		o.Profile = func(keep func(*stacks.Group) bool) ([]stacks.Group, error) {
			p.mu.Lock()
			p.n++
			p.mu.Unlock()
			time.Sleep(p.took)
			if p.err != nil {
				return nil, p.err
			}
			return stacks.Profile(keep)
		}
		return nil
	}
}

func (p *profiles) taken() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.n
}

// What the watchdog finds is told as a value, too: what the pool is, where what it runs
// is, and what waits.
func TestOnStallTellsWhereItemsAre(t *testing.T) {
	told := &stalls{}
	watched(t, func(t *testing.T, sys *cmwq.System, log *records) {
		q, release := stuckQueue(t, sys)
		defer release()
		time.Sleep(45 * unit)
		all := told.told()
		require.GreaterOrEqual(t, len(all), 3)
		require.Len(t, log.find(stall), len(all))
		for i, st := range all {
			require.Equal(t, i+1, st.Reports)
			require.Zero(t, st.Missed)
		}
		st := all[2]
		p := st.Pool
		require.Equal(t, []any{"0", "percpu", "0", 0, false, 1}, []any{p.Name, p.Kind, p.PodCPUs, p.Nice, p.HighPri, p.Waiting})
		require.GreaterOrEqual(t, st.Hung, 30*unit)
		require.Equal(t, 10*unit, st.At.Sub(all[1].At))
		require.Equal(t, []cmwq.PendingRuns{{Queue: "q", Runs: []cmwq.Run{{Func: pkg + "anotherItem", N: 1}}}}, st.Pending)
		require.Len(t, st.Running, 1)
		x := st.Running[0]
		require.Equal(t, []string{"q", "0", "kworker/0:0", "holding 42"}, []string{x.Queue, x.Pool, x.Worker, x.Desc})
		require.Equal(t, "chan receive", x.Where.State)
		require.Equal(t, "watchdog_test.go", filepath.Base(x.Where.File))
		require.Contains(t, x.Where.Func, "stuckItem")
		require.Contains(t, log.find(stall)[2]["running"], "running, \"holding 42\", blocked in chan receive at "+x.Where.File)
		require.Equal(t, "0", log.find(stall)[2]["cpus"])
		release()
		require.NoError(t, q.Flush(bg))
	}, told.option())
}

// A profile that took 5 ms is the last one for half a second. Until then reports say
// what it saw, of those that still run.
func TestStallsKeepToTheBudgetOfProfiles(t *testing.T) {
	told, prof := &stalls{}, &profiles{took: 5 * time.Millisecond}
	watched(t, func(t *testing.T, sys *cmwq.System, _ *records) {
		q := queue(t, sys, "q", cmwq.PerCPU())
		entered, open := make(chan struct{}, 3), make(chan struct{})
		defer close(open)
		for range 3 {
			require.NoError(t, q.Go(stuckItem(entered, open)))
		}
		<-entered
		time.Sleep(25 * unit)
		require.Equal(t, 1, prof.taken())
		looked := time.Now()
		time.Sleep(100 * unit)
		require.Equal(t, 1, prof.taken())
		all := told.told()
		require.Greater(t, len(all), 8)
		for _, st := range all {
			require.NotNil(t, st.Running[0].Where, "it was seen, and is still there")
		}

		n := len(all)
		open <- struct{}{} // the next one, on the same worker and with the same function
		<-entered
		time.Sleep(30 * unit)
		all = told.told()[n:]
		require.NotEmpty(t, all)
		require.Nil(t, all[0].Running[0].Where, "it began after the look")
		d, err := sys.Diagnose(bg)
		require.NoError(t, err)
		require.Equal(t, 1, prof.taken())
		require.Nil(t, d.Items[0].Where)
		require.Equal(t, 5*time.Millisecond, d.Took)
		require.WithinDuration(t, looked, d.Looked, 20*unit)
		require.Equal(t, d.Looked.Add(505*time.Millisecond), d.Next)
		require.Equal(t, time.Now(), d.At)

		time.Sleep(time.Until(d.Next))
		d, err = sys.Diagnose(bg)
		require.NoError(t, err)
		require.Equal(t, 2, prof.taken())
		require.Equal(t, "chan receive", d.Items[0].Where.State)
		open <- struct{}{}
		<-entered
	}, told.option(), prof.option())
}

// However many ask at once, one of them pays.
func TestDiagnoseLooksOnceForAll(t *testing.T) {
	prof := &profiles{took: 5 * time.Millisecond}
	watched(t, func(t *testing.T, sys *cmwq.System, _ *records) {
		_, release := stuckQueue(t, sys)
		defer release()
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				d, err := sys.Diagnose(bg)
				if err != nil || len(d.Items) != 1 || d.Items[0].Where == nil {
					t.Errorf("%+v %v", d, err)
				}
			})
		}
		wg.Wait()
		require.Equal(t, 1, prof.taken())
	}, cmwq.WithWatchdog(0), prof.option())
}

// Where nothing runs nobody looks; and a profile that fails does not keep the report.
func TestAProfileThatFails(t *testing.T) {
	told, prof := &stalls{}, &profiles{err: errors.New("no profile")}
	watched(t, func(t *testing.T, sys *cmwq.System, _ *records) {
		d, err := sys.Diagnose(bg)
		require.NoError(t, err)
		require.Empty(t, d.Items)
		require.True(t, d.Looked.IsZero())
		require.Zero(t, prof.taken())
		_, release := stuckQueue(t, sys)
		defer release()
		time.Sleep(25 * unit)
		require.NotEmpty(t, told.told())
		require.Nil(t, told.told()[0].Running[0].Where)
		_, err = sys.Diagnose(bg)
		require.ErrorIs(t, err, prof.err)
	}, told.option(), prof.option())
}

// A function of the user's may panic, or end its goroutine: the next report comes.
func TestOnStallIsContained(t *testing.T) {
	n := 0
	watched(t, func(t *testing.T, sys *cmwq.System, log *records) {
		_, release := stuckQueue(t, sys)
		defer release()
		time.Sleep(65 * unit)
		synctest.Wait()
		require.GreaterOrEqual(t, n, 4)
		require.Len(t, log.find(stall), n)
		panicked := log.find("a function that is told of reports panicked")
		require.Len(t, panicked, 1)
		require.Equal(t, "ERROR", panicked[0]["level"])
		require.Equal(t, "OnStall", panicked[0]["func"])
	}, cmwq.WithOnStall(func(cmwq.Stall) {
		switch n++; n {
		case 1:
			panic("no")
		case 2:
			runtime.Goexit()
		}
	}))
}

// One that takes its time holds nobody up; what it misses is counted.
func TestOnStallMayBeSlow(t *testing.T) {
	var open chan struct{}
	told, missed, last := 0, 0, 0
	watched(t, func(t *testing.T, sys *cmwq.System, _ *records) {
		open = make(chan struct{}) // in the bubble
		_, release := stuckQueue(t, sys)
		defer release()
		time.Sleep(1000 * unit) // 98 reports or so
		d, err := sys.Diagnose(bg)
		require.NoError(t, err)
		require.NotNil(t, d.Items[0].Where, "who asks does not wait for it")
		close(open)
		time.Sleep(20 * unit)
		synctest.Wait()
		require.Greater(t, missed, 30)
		require.Equal(t, last, told+missed)
	}, cmwq.WithOnStall(func(st cmwq.Stall) {
		if told++; told == 1 {
			<-open
		}
		missed += st.Missed
		last = st.Reports
	}))
}

// After a scan with stalls, however many pools stall: one dump of all that is busy.
func TestAStallIsDumpedAtDebugLevel(t *testing.T) {
	topo, err := topology.Uniform(1, 1, 2, 1)
	require.NoError(t, err)
	told := &stalls{}
	watched(t, func(t *testing.T, sys *cmwq.System, log *records) {
		q := queue(t, sys, "q", cmwq.PerCPU())
		open := make(chan struct{})
		defer close(open)
		for cpu := range 2 {
			entered := make(chan struct{})
			require.NoError(t, q.QueueOn(cpu, cmwq.NewWork(stuckItem(entered, open))))
			<-entered
			require.NoError(t, q.QueueOn(cpu, cmwq.NewWork(anotherItem)))
		}
		time.Sleep(45 * unit)
		scans := map[time.Time]int{}
		for _, st := range told.told() {
			scans[st.At]++
		}
		require.Contains(t, slices.Collect(maps.Values(scans)), 2, "both at a time")
		dumps := log.find("busy queues and pools at a stall")
		require.Len(t, dumps, len(scans))
		require.Equal(t, "DEBUG", dumps[0]["level"])
		require.Contains(t, dumps[0]["dump"], "queue q: percpu\n  on pool 0: cpus=0 node=0 nice=0 active 2/1024")
	}, cmwq.WithTopology(topo), told.option())
}
