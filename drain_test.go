package cmwq_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// journal is a log that can be read.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) option() cmwq.Option {
	return cmwq.WithLogger(slog.New(slog.NewTextHandler(j, nil)))
}

// lines are those that contain all the words.
func (j *journal) lines(words ...string) (found []string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for line := range strings.Lines(j.text.String()) {
		ok := true
		for _, w := range words {
			ok = ok && strings.Contains(line, w)
		}
		if ok {
			found = append(found, line)
		}
	}
	return found
}

// Row 93: an item that queues itself again keeps a drain at work; it is warned of at
// the 10th pass, and each hundredth up to the 1000th.
func TestDrainWarnsAtPass10And100AndSoOn(t *testing.T) {
	var log journal
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		var stop atomic.Bool
		var w *cmwq.Work
		w = cmwq.NewWork(func(ctx *cmwq.Context) error {
			_ = ctx.Sleep(time.Millisecond)
			if stop.Load() {
				return nil
			}
			return q.Queue(w)
		})
		require.NoError(t, q.Queue(w))
		drained := make(chan error, 1)
		go func() { drained <- q.Drain(bg) }()
		time.Sleep(1500 * time.Millisecond)
		require.Empty(t, drained)
		stop.Store(true)
		require.NoError(t, <-drained)
		require.Len(t, log.lines("level=WARN", "drain finds work", "queue=q"), 11)
		for _, pass := range []string{"passes=10\n", "passes=100\n", "passes=200\n", "passes=1000\n"} {
			require.Len(t, log.lines("drain finds work", pass), 1, pass)
		}
	}, log.option())
}

// Row 92: an item that comes due while its queue drains is dropped, counted, logged,
// and as good as new.
func TestDelayedWorkThatFiresInADrainIsDropped(t *testing.T) {
	var log journal
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		var ran record
		var due [3]*cmwq.Work
		for i := range due {
			due[i] = logs(&ran, i, 0)
			require.NoError(t, q.QueueAfter(time.Second, due[i]))
		}
		later := logs(&ran, 9, 0)
		require.NoError(t, q.QueueAfter(time.Hour, later))
		drained := make(chan error, 1)
		go func() { drained <- q.Drain(bg) }()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		for _, w := range due {
			require.Equal(t, cmwq.Busy{}, w.Busy())
		}
		require.Equal(t, cmwq.Busy{Pending: true}, later.Busy(), "a drain leaves timers alone")
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.EqualValues(t, 3, st.Dropped)
		require.Len(t, log.lines("level=WARN", "dropped", "queue=q", "items=3"), 1)
		g.open <- struct{}{}
		require.NoError(t, <-drained)
		require.NoError(t, q.Queue(due[0]))
		require.NoError(t, later.Flush(bg), "and it may run after the drain")
		require.NoError(t, q.Flush(bg))
		require.ElementsMatch(t, []int{0, 9}, ran.get())
	}, log.option())
}

// Row 91: drains nest; the queue takes work again when the last has ended.
func TestDrainsMayOverlap(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		require.NoError(t, q.Drain(bg), "nothing to drain")
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		<-g.entered
		drained := make(chan error, 5)
		for range 5 {
			go func() { drained <- q.Drain(bg) }()
			synctest.Wait()
		}
		require.Error(t, q.Drain(soon(t)), "who gives up takes the others nothing")
		require.ErrorIs(t, q.Go(func(*cmwq.Context) error { return nil }), cmwq.ErrDraining)
		g.open <- struct{}{}
		for range 5 {
			require.NoError(t, <-drained)
		}
		require.NoError(t, q.Go(func(*cmwq.Context) error { return nil }))
		require.NoError(t, q.Flush(bg))
	})
}

// Row 95: what was armed when its queue was destroyed never fires; whoever holds the
// Work sees it idle, Stats count it, the log says so.
func TestArmedWorkAcrossDestroyIsCancelledAndReported(t *testing.T) {
	var log journal
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		w := cmwq.NewWork(func(*cmwq.Context) error { t.Error("it ran"); return nil })
		require.NoError(t, q.QueueAfter(time.Second, w))
		flushed := make(chan error, 1)
		other := queue(t, sys, "other")
		require.NoError(t, other.QueueAfter(time.Second, cmwq.NewWork(func(*cmwq.Context) error { flushed <- nil; return nil })))
		require.NoError(t, q.Destroy(bg))
		require.Equal(t, cmwq.Busy{}, w.Busy())
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.EqualValues(t, 1, st.Dropped)
		require.Len(t, log.lines("level=WARN", "armed work was cancelled", "queue=q", "items=1"), 1)
		require.NoError(t, <-flushed, "timers of other queues go on")
		w.Func = func(*cmwq.Context) error { return nil }
		require.NoError(t, other.Queue(w), "it is as good as new")
		require.NoError(t, w.Flush(bg))
	}, log.option())
}

// Row 94: destroy waits; one that gives up says what is left, and the queue stays,
// unusable, until that has ended.
func TestDestroyThatGivesUpReportsWhatIsLeft(t *testing.T) {
	var log journal
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.MaxActive(2))
		a, b := newGate(), newGate()
		var ran record
		require.NoError(t, q.Queue(a.Work))
		require.NoError(t, q.Queue(b.Work))
		for i := range 3 {
			require.NoError(t, q.Queue(logs(&ran, i, 0)))
		}
		<-a.entered
		<-b.entered
		err := q.Destroy(soon(t))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		var left *cmwq.StopError
		require.ErrorAs(t, err, &left)
		require.Equal(t, 2, left.Running)
		require.Equal(t, 3, left.Waiting)
		require.Contains(t, err.Error(), "2 running, 3 waiting")
		require.Len(t, log.lines("level=WARN", "destroy did not wait", "queue=q", "running=2", "waiting=3"), 1)
		require.Same(t, q, sys.Queue("q"))
		_, err = sys.NewQueue("q")
		require.ErrorIs(t, err, cmwq.ErrExists)
		require.ErrorIs(t, q.Go(func(*cmwq.Context) error { return nil }), cmwq.ErrDestroyed)
		a.open <- struct{}{}
		b.open <- struct{}{}
		synctest.Wait()
		require.Equal(t, []int{0, 1, 2}, ran.get(), "what was accepted is done")
		require.Nil(t, sys.Queue("q"))
		queue(t, sys, "q")
	}, log.option())
}
