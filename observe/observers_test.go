package observe_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"runtime/trace"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe"
)

// watched starts a system with observers.
func watched(t testing.TB, all ...cmwq.Observer) *cmwq.System {
	t.Helper()
	sys, err := cmwq.New(cmwq.WithObserver(all...), cmwq.WithLogger(slog.New(slog.DiscardHandler)))
	require.NoError(t, err)
	t.Cleanup(func() {
		if err := sys.Stop(context.Background()); err != nil {
			require.ErrorIs(t, err, cmwq.ErrStopped)
		}
	})
	return sys
}

func made(t testing.TB, sys *cmwq.System, name string, opts ...cmwq.QueueOption) *cmwq.Queue {
	t.Helper()
	q, err := sys.NewQueue(name, opts...)
	require.NoError(t, err)
	return q
}

func idle(*cmwq.Context) error { return nil }

var items = []cmwq.EventKind{cmwq.EventQueue, cmwq.EventActivate, cmwq.EventStart, cmwq.EventEnd, cmwq.EventFail, cmwq.EventCancel}

// A ring has the last events in order, and says how many came before.
func TestRingKeepsTheLast(t *testing.T) {
	ring := observe.NewRing(5)
	require.Empty(t, ring.Events())
	sys := watched(t, observe.Only(ring, items...))
	q := made(t, sys, "q", cmwq.Ordered())
	w := cmwq.NewWork(idle)
	for range 3 {
		require.NoError(t, q.Queue(w))
		require.NoError(t, q.Flush(context.Background()))
	}
	var kinds []string
	for _, e := range ring.Events() {
		kinds = append(kinds, e.Kind.String())
		require.Equal(t, w.ID(), e.Item)
		require.Nil(t, e.Submitter)
	}
	require.Equal(t, []string{"end", "queue", "activate", "start", "end"}, kinds)
	require.EqualValues(t, 12, ring.Told())

	var text bytes.Buffer
	n, err := ring.WriteTo(&text)
	require.NoError(t, err)
	require.EqualValues(t, text.Len(), n)
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	require.Len(t, lines, 6)
	require.Equal(t, "... 7 events before", lines[0])
	require.Regexp(t, `^\d\d:\d\d:\d\d\.\d{6} queue queue=q pool=u\d+ func=\S*observe_test\.idle item=0x[0-9a-f]+$`, lines[2])

	_, err = ring.WriteTo(failing{})
	require.ErrorIs(t, err, errFull)
}

type failing struct{}

var errFull = errors.New("full")

func (failing) Write([]byte) (int, error) { return 0, errFull }

// Written and read from all sides, a ring keeps whole events in order.
func TestRingUnderStress(t *testing.T) {
	ring := observe.NewRing(64)
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range 5000 {
				ring.Observe(cmwq.Event{Kind: cmwq.EventKick, CPU: g, N: i, Attempt: g ^ i})
			}
		})
	}
	all.Go(func() {
		for range 50 {
			last := map[int]int{}
			for _, e := range ring.Events() {
				if e.CPU^e.N != e.Attempt {
					t.Error("half an event")
				}
				if n, ok := last[e.CPU]; ok && e.N <= n {
					t.Error("a goroutine's events are out of order")
				}
				last[e.CPU] = e.N
			}
		}
	})
	all.Wait()
	require.EqualValues(t, 20000, ring.Told())
	require.Len(t, ring.Events(), 64)
}

// Only passes on what is asked for, and says so beforehand; of what an observer does not
// want itself nothing.
func TestOnly(t *testing.T) {
	ring := observe.NewRing(100)
	fails := observe.Only(ring, cmwq.EventFail, cmwq.EventMayday)
	require.Equal(t, cmwq.KindsOf(cmwq.EventFail, cmwq.EventMayday), fails.(cmwq.Choosy).Kinds())
	require.Equal(t, cmwq.KindsOf(cmwq.EventFail), observe.Only(fails, cmwq.EventFail, cmwq.EventEnd).(cmwq.Choosy).Kinds())
	sys := watched(t, fails)
	q := made(t, sys, "q")
	require.NoError(t, q.Go(idle))
	require.NoError(t, q.Go(func(*cmwq.Context) error { return errFull }))
	require.NoError(t, q.Flush(context.Background()))
	all := ring.Events()
	require.Len(t, all, 1)
	require.Equal(t, cmwq.EventFail, all[0].Kind)
	require.ErrorIs(t, all[0].Err, errFull)
	fails.Observe(cmwq.Event{Kind: cmwq.EventQueue}) // told by somebody else
	require.Len(t, ring.Events(), 1)
}

// A log has a record of each event, failures as warnings, and what travels with the item
// in the context.
func TestSlog(t *testing.T) {
	type key struct{}
	var mu sync.Mutex
	var text bytes.Buffer
	h := &carrying{slog.NewTextHandler(&locked{&mu, &text}, nil), key{}}
	log := observe.Slog(slog.New(h), slog.LevelInfo, items...)
	sys := watched(t, log)
	q := made(t, sys, "q", cmwq.Ordered())
	require.NoError(t, q.With(context.WithValue(context.Background(), key{}, "me")).Go(func(*cmwq.Context) error { return errFull }))
	require.NoError(t, q.Flush(context.Background()))
	require.NoError(t, log.Flush(context.Background()))
	mu.Lock()
	defer mu.Unlock()
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	require.Len(t, lines, 5)
	for i, want := range []string{
		`level=INFO msg=queue queue=q pool=\S+ func=\S+TestSlog\S+ item=0x\S+ from=me$`,
		`level=INFO msg=activate .* wait=\S+$`,
		`level=INFO msg=start .* worker=kworker/\S+ .* from=me$`,
		`level=INFO msg=end .* run=\S+ err=full from=me$`,
		`level=WARN msg=fail .* err=full$`,
	} {
		require.Regexp(t, want, lines[i])
	}
}

// carrying adds a value of the record's context.
type carrying struct {
	slog.Handler
	key any
}

func (h *carrying) Handle(ctx context.Context, r slog.Record) error {
	if v, ok := ctx.Value(h.key).(string); ok {
		r.AddAttrs(slog.String("from", v))
	}
	return h.Handler.Handle(ctx, r)
}

type locked struct {
	mu *sync.Mutex
	w  *bytes.Buffer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// stuck is a handler that is stuck until it is let go, and panics at its first record.
type stuck struct {
	slog.Handler
	open  chan struct{}
	once  sync.Once
	wrote map[string]int
}

func (h *stuck) Handle(_ context.Context, r slog.Record) error {
	<-h.open
	h.wrote[r.Message]++
	h.once.Do(func() { panic("handler") })
	return nil
}

// A logger that is stuck holds up nobody: what there is no room for is left out, and
// counted. Nor does one that panics.
func TestSlogThatIsStuck(t *testing.T) {
	h := &stuck{Handler: slog.DiscardHandler, open: make(chan struct{}), wrote: map[string]int{}}
	h.Handler = slog.NewTextHandler(&bytes.Buffer{}, nil)
	log := observe.Slog(slog.New(h), slog.LevelInfo, cmwq.EventEnd)
	sys := watched(t, log)
	q := made(t, sys, "q")
	const n = 10000
	for range n {
		require.NoError(t, q.Go(idle))
	}
	require.NoError(t, q.Flush(context.Background()))
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errFull)
	require.ErrorIs(t, log.Flush(ctx), errFull)
	close(h.open)
	require.NoError(t, log.Flush(context.Background()))
	require.NoError(t, log.Flush(context.Background()), "there is nothing to wait for")
	require.Less(t, h.wrote["end"], n)
	require.GreaterOrEqual(t, h.wrote["end"], 4096)
	require.Equal(t, 1, h.wrote["events were not logged: the log is too slow"])
}

// A logger that is not enabled for the level is not asked.
func TestSlogBelowItsLevel(t *testing.T) {
	var text bytes.Buffer
	log := observe.Slog(slog.New(slog.NewTextHandler(&text, nil)), slog.LevelDebug)
	sys := watched(t, log)
	q := made(t, sys, "q")
	require.NoError(t, q.Go(idle))
	require.NoError(t, q.Flush(context.Background()))
	require.NoError(t, sys.Stop(context.Background()))
	require.NoError(t, log.Flush(context.Background()))
	require.Empty(t, text.String())
}

// A trace that is taken has the queue as a task, the function as a region, and what
// happened to the item; without one nothing is kept.
func TestTrace(t *testing.T) {
	if trace.IsEnabled() {
		t.Skip("a trace is taken")
	}
	sys := watched(t, observe.Trace())
	q := made(t, sys, "traced-queue", cmwq.Ordered())
	begun, open := make(chan struct{}), make(chan struct{})
	require.NoError(t, q.Go(func(*cmwq.Context) error { close(begun); <-open; return nil }))
	<-begun
	var out bytes.Buffer
	require.NoError(t, trace.Start(&out))
	gone, before := cmwq.NewWork(idle), cmwq.NewWork(idle)
	require.NoError(t, q.Queue(before))
	require.NoError(t, q.Queue(gone))
	require.True(t, gone.Cancel())
	close(open)
	require.NoError(t, q.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(time.Millisecond) }))
	require.NoError(t, q.Go(func(*cmwq.Context) error { return errors.New("no-such-luck") }))
	require.NoError(t, q.Go(func(*cmwq.Context) error { panic("oh-dear") }))
	require.NoError(t, q.Flush(context.Background()))
	trace.Stop()
	for _, text := range []string{"traced-queue", "TestTrace.func", "observe_test.idle", "waited", "active after", "cancelled", "sleep", "wake", "no-such-luck", "oh-dear"} {
		require.Contains(t, out.String(), text)
	}
	require.NoError(t, q.Go(idle))
	require.NoError(t, q.Flush(context.Background()))
}
