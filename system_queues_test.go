package cmwq_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// logbook collects what the system logs.
type logbook struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

// lines are those that hold the text.
func (l *logbook) lines(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.buf.String(), text)
}

func (l *logbook) option() cmwq.Option {
	return cmwq.WithLogger(slog.New(slog.NewTextHandler(l, nil)))
}

// systemQueues are the methods that give them, by their kernel names.
var systemQueues = map[string]func(*cmwq.System) *cmwq.Queue{
	"events": (*cmwq.System).Default, "events_highpri": (*cmwq.System).HighPri, "events_long": (*cmwq.System).Long,
	"events_unbound": (*cmwq.System).Unbound, "events_dfl_long": (*cmwq.System).UnboundLong, "events_managed": (*cmwq.System).Managed,
	"events_freezable": (*cmwq.System).Freezable, "events_bh": (*cmwq.System).BH, "events_bh_highpri": (*cmwq.System).BHHighPri,
}

func TestSystemQueuesAreThereFromTheStart(t *testing.T) {
	sys := start(t)
	for name, get := range systemQueues {
		require.Equal(t, name, sys.Queue(name).Name(), "found by name before it was used")
		require.Same(t, sys.Queue(name), get(sys))
		_, err := sys.NewQueue(name)
		require.ErrorIs(t, err, cmwq.ErrExists)
		n := 0
		w := cmwq.NewWork(func(*cmwq.Context) error { n++; return nil })
		require.NoError(t, get(sys).Queue(w))
		require.NoError(t, w.Flush(bg))
		require.Equal(t, 1, n, name)
	}
}

func TestSystemQueueMayBeAskedForByManyAtOnce(t *testing.T) {
	for range 20 {
		sys := start(t)
		var got [8]*cmwq.Queue
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() { got[i] = sys.Unbound() })
		}
		wg.Wait()
		for _, q := range got {
			require.Same(t, got[0], q)
		}
	}
}

func TestSystemQueueKinds(t *testing.T) {
	machine, cpus := pods(t, twoPods)
	sys := start(t, machine)
	worker := func(q *cmwq.Queue, cpu int) string {
		name := ""
		w := cmwq.NewWork(func(ctx *cmwq.Context) error { name = ctx.Worker(); return nil })
		require.NoError(t, q.QueueOn(cpu, w))
		require.NoError(t, w.Flush(bg))
		return name
	}
	require.Regexp(t, `^kworker/3:\d+$`, worker(sys.Default(), cpus-1))
	require.Regexp(t, `^kworker/3:\d+H$`, worker(sys.HighPri(), cpus-1))
	require.Regexp(t, `^kworker/3:\d+$`, worker(sys.Long(), cpus-1))
	require.Regexp(t, `^kworker/3:\d+$`, worker(sys.Freezable(), cpus-1))
	require.Equal(t, "bh/3", worker(sys.BH(), cpus-1))
	require.Equal(t, "bh/3H", worker(sys.BHHighPri(), cpus-1))
	require.Regexp(t, `^kworker/u\d+:\d+$`, worker(sys.Unbound(), cpus-1))
	require.Regexp(t, `^kworker/u\d+:\d+$`, worker(sys.Managed(), cpus-1))
	require.Regexp(t, `^kworker/3:\d+$`, worker(sys.PowerEfficient(), cpus-1))
	saving := start(t, machine, cmwq.WithPowerEfficient(true))
	for _, q := range []*cmwq.Queue{saving.PowerEfficient(), saving.FreezablePowerEfficient()} {
		require.Regexp(t, `^kworker/u\d+:\d+$`, worker(q, cpus-1))
	}
	for q, want := range map[*cmwq.Queue]int{sys.Default(): cpus * 1024, sys.Unbound(): 2048, sys.UnboundLong(): 2048, sys.Managed(): 1024} {
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.Equal(t, want, st.MaxActive, q.Name())
	}
}

func TestSystemQueuesCannotBeEndedByUsers(t *testing.T) {
	sys := start(t, silent())
	for name, get := range systemQueues {
		require.ErrorIs(t, get(sys).Drain(bg), cmwq.ErrSystemQueue)
		require.ErrorIs(t, get(sys).Destroy(bg), cmwq.ErrSystemQueue)
		fut := cmwq.Submit(get(sys), func(ctx *cmwq.Context) (bool, error) {
			return true, cmwq.CurrentQueue(ctx).Destroy(bg)
		})
		_, err := fut.Wait(bg)
		require.ErrorIs(t, err, cmwq.ErrSystemQueue, "nor through its own item")
		require.NoError(t, get(sys).Go(func(*cmwq.Context) error { return nil }), "it goes on")
		require.Same(t, get(sys), sys.Queue(name))
	}
}

// Nor can one change how they serve everybody else; who tries is told, and the log is.
func TestSystemQueuesCannotBeChangedByUsers(t *testing.T) {
	for name, get := range systemQueues {
		for what, change := range map[string]func(*cmwq.Queue) error{
			"max_active":    func(q *cmwq.Queue) error { return q.SetMaxActive(1) },
			"fixed workers": func(q *cmwq.Queue) error { return q.Fix(1, 10) },
			"min_active":    func(q *cmwq.Queue) error { return q.SetMinActive(1) },
			"attributes":    func(q *cmwq.Queue) error { return q.SetAttrs(bg, cmwq.Nice(1)) },
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				var log records
				sys := start(t, cmwq.WithLogger(log.logger()))
				q := get(sys)
				limit, attrs := stats(t, q).MaxActive, q.Attrs()
				err := change(q)
				if errors.Is(err, cmwq.ErrPerCPU) || errors.Is(err, cmwq.ErrBH) {
					return // no queue of the kind has that
				}
				require.ErrorIs(t, err, cmwq.ErrSystemQueue)
				said := log.find("a system queue is not to be changed; use a queue of your own")
				require.Len(t, said, 1)
				require.Equal(t, name, said[0]["queue"])
				require.Equal(t, what, said[0]["asked"])
				require.Equal(t, limit, stats(t, q).MaxActive)
				require.Equal(t, attrs, q.Attrs())
				require.NoError(t, change(queue(t, sys, "own")), "one's own can be")
			})
		}
	}
}

// R29: flushing a system queue warns, once, and flushes all the same.
func TestR29FlushOfASystemQueueWarns(t *testing.T) {
	var log logbook
	sys := start(t, log.option())
	own := queue(t, sys, "own")
	for name, get := range systemQueues {
		for range 3 {
			w := cmwq.NewWork(func(ctx *cmwq.Context) error { ctx.Yield(); return nil })
			require.NoError(t, get(sys).Queue(w))
			require.NoError(t, get(sys).Flush(bg))
			require.Equal(t, cmwq.Busy{}, w.Busy(), "it flushes")
		}
		want := 1
		if strings.HasPrefix(name, "events_bh") {
			want = 0 // the kernel does not know these
		}
		require.Equal(t, want, log.lines("queue="+name+"\n"), "one warning: %s", name)
	}
	require.NoError(t, own.Flush(bg))
	require.Zero(t, log.lines("queue=own"))
}

func TestSystemQueuesEndWithTheSystem(t *testing.T) {
	sys, err := cmwq.New(silent())
	require.NoError(t, err)
	used := sys.Default()
	g := newGate()
	require.NoError(t, used.Queue(g.Work))
	<-g.entered
	g.open <- struct{}{}
	require.NoError(t, sys.Stop(bg))
	require.Equal(t, cmwq.Busy{}, g.Busy(), "Stop waits for system queues, too")
	w := cmwq.NewWork(func(*cmwq.Context) error { t.Error("ran"); return nil })
	for _, q := range []*cmwq.Queue{used, sys.Unbound(), sys.Queue("events_long")} { // the last two were never used before
		require.ErrorIs(t, q.Queue(w), cmwq.ErrStopped)
		require.ErrorIs(t, q.QueueOn(0, w), cmwq.ErrStopped)
		require.ErrorIs(t, q.QueueNode(0, w), cmwq.ErrStopped)
		require.ErrorIs(t, q.QueueAfter(1, w), cmwq.ErrStopped)
		require.ErrorIs(t, q.Go(w.Func), cmwq.ErrStopped)
		require.ErrorIs(t, q.Flush(bg), cmwq.ErrStopped)
		require.ErrorIs(t, q.SetMaxActive(1), cmwq.ErrStopped)
		_, err = q.Modify(1, w)
		require.ErrorIs(t, err, cmwq.ErrStopped)
		_, err = q.Stats(bg)
		require.ErrorIs(t, err, cmwq.ErrStopped)
		_, err = cmwq.Submit(q, func(*cmwq.Context) (int, error) { return 1, nil }).Wait(bg)
		require.ErrorIs(t, err, cmwq.ErrStopped)
		require.False(t, q.Congested(0))
		require.Equal(t, cmwq.Busy{}, w.Busy())
	}
}

func TestSystemQueueThatIsThereCostsALoad(t *testing.T) {
	sys := start(t)
	_ = sys.Default()
	require.Zero(t, testing.AllocsPerRun(100, func() { _ = sys.Default() }))
}
