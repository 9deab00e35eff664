package reading_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe/internal/reading"
)

// world is a source of snapshots that the test makes up.
type world struct {
	snap cmwq.Snapshot
	err  error
	wait bool

	meanwhile func() // called once, while a snapshot is taken
}

func (w *world) Snapshot(ctx context.Context) (*cmwq.Snapshot, error) {
	if w.wait {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if f := w.meanwhile; f != nil {
		w.meanwhile = nil
		f()
	}
	snap := w.snap
	return &snap, w.err
}

var began = time.Unix(1000, 0)

// at has the world be one of these queues, so many seconds after its beginning.
func (w *world) at(seconds int, queues ...cmwq.QueueSnapshot) {
	w.snap.At = began.Add(time.Duration(seconds) * time.Second)
	w.snap.Uptime = time.Duration(seconds) * time.Second
	w.snap.Queues = queues
}

// child is a child queue that has started so many items.
func child(name string, total int64) cmwq.QueueSnapshot {
	return cmwq.QueueSnapshot{Name: name, Child: true, Stats: cmwq.Stats{Total: total}}
}

func read(t *testing.T, r *reading.Reader) *reading.Reading {
	t.Helper()
	got, err := r.Read(context.Background())
	require.NoError(t, err)
	return got
}

// started is what of each name is told to have started.
func started(r *reading.Reading) map[string]int64 {
	m := map[string]int64{}
	for _, q := range r.Queues {
		m[q.Name] = q.Counts[reading.Started]
	}
	return m
}

// Child queues come and go; what is told of their sum only grows.
func TestSumsDoNotFall(t *testing.T) {
	var w world
	r := reading.New(&w, nil, 0)
	for i, step := range []struct {
		now  []cmwq.QueueSnapshot
		want map[string]int64
	}{
		{[]cmwq.QueueSnapshot{child("a/1", 10), child("a/2", 5), {Name: "q", Stats: cmwq.Stats{Total: 7}}}, map[string]int64{"(children)": 15, "q": 7}},
		{[]cmwq.QueueSnapshot{child("a/2", 6), {Name: "q", Stats: cmwq.Stats{Total: 7}}}, map[string]int64{"(children)": 16, "q": 7}},
		{[]cmwq.QueueSnapshot{child("a/1", 2), child("a/2", 6)}, map[string]int64{"(children)": 18}},
		{[]cmwq.QueueSnapshot{child("a/1", 3), child("a/2", 1), child("a/3", 1)}, map[string]int64{"(children)": 21}},
		{nil, map[string]int64{}},
		{[]cmwq.QueueSnapshot{child("a/1", 4)}, map[string]int64{"(children)": 4}},
	} {
		w.at(i+1, step.now...)
		require.Equal(t, step.want, started(read(t, r)), "step %d", i)
	}
}

// A name that is new has counted nothing before the snapshot that did not have it.
func TestSince(t *testing.T) {
	var w world
	r := reading.New(&w, reading.Each, 0)
	w.at(5, child("a/1", 1))
	require.Equal(t, began, read(t, r).Queues[0].Since)
	w.at(7, child("a/1", 2), child("a/2", 1))
	got := read(t, r)
	require.Equal(t, began, got.Queues[0].Since)
	require.Equal(t, began.Add(5*time.Second), got.Queues[1].Since)
}

// Of two that read at a time either may have the older numbers, and queues that are gone:
// they are not taken for new ones.
func TestOverlap(t *testing.T) {
	var w world
	r := reading.New(&w, nil, 0)
	w.at(3, child("a/1", 8), child("a/2", 7))
	require.Equal(t, map[string]int64{"(children)": 15}, started(read(t, r)))
	w.at(4)
	w.meanwhile = func() { // a/2 ends, a/3 begins
		w.at(5, child("a/1", 10), child("a/3", 1))
		require.Equal(t, map[string]int64{"(children)": 18}, started(read(t, r)))
		w.at(4, child("a/1", 9), child("a/2", 7))
	}
	require.Equal(t, map[string]int64{"(children)": 18}, started(read(t, r)), "older")
	w.meanwhile = func() {
		require.Equal(t, map[string]int64{"(children)": 18}, started(read(t, r)))
		w.at(7, child("a/1", 12), child("a/3", 1), child("a/4", 1))
	}
	w.at(6, child("a/1", 10), child("a/3", 1))
	require.Equal(t, map[string]int64{"(children)": 20}, started(read(t, r)), "newer")
	require.Equal(t, map[string]int64{"(children)": 21}, started(read(t, r)), "what was new")
}

// A queue that has ended is not told once more, by one that began to read before that.
func TestOverlapOfAnEnd(t *testing.T) {
	var w world
	r := reading.New(&w, reading.Each, 0)
	w.at(3, child("a", 8), child("b", 7))
	require.Equal(t, map[string]int64{"a": 8, "b": 7}, started(read(t, r)))
	w.at(4)
	w.meanwhile = func() {
		w.at(5, child("a", 8))
		require.Equal(t, map[string]int64{"a": 8}, started(read(t, r)))
		w.at(4, child("a", 8), child("b", 7))
	}
	require.Equal(t, map[string]int64{"a": 8}, started(read(t, r)), "older")
}

func TestNames(t *testing.T) {
	top := cmwq.QueueSnapshot{Name: "img/resize"}
	nobodys := cmwq.QueueSnapshot{Name: "inbox", Child: true}
	deep := cmwq.QueueSnapshot{Name: "users/$1f/inbox", Child: true}
	for name, f := range map[string]struct {
		f    func(*cmwq.QueueSnapshot) string
		want []string
	}{
		"children": {reading.SumChildren, []string{"img/resize", "(children)", "(children)"}},
		"parent":   {reading.SumByParent, []string{"img/resize", "(children)", "users/$1f/*"}},
		"sibling":  {reading.SumBySibling, []string{"img/resize", "*/inbox", "*/inbox"}},
		"each":     {reading.Each, []string{"img/resize", "inbox", "users/$1f/inbox"}},
	} {
		require.Equal(t, f.want, []string{f.f(&top), f.f(&nobodys), f.f(&deep)}, name)
	}
}

func TestErrorsAreCounted(t *testing.T) {
	w := world{err: errors.New("of the test")}
	r := reading.New(&w, nil, 0)
	for i := range int64(2) {
		got, err := r.Read(context.Background())
		require.ErrorIs(t, err, w.err)
		require.Equal(t, i+1, got.System.Errors)
	}
	w.err = nil
	got := read(t, r)
	require.True(t, got.System.Up)
	require.EqualValues(t, 2, got.System.Errors)
	w.err = cmwq.ErrStopped
	got = read(t, r)
	require.False(t, got.System.Up)
	require.Empty(t, got.Queues)
}

func TestTimeLimit(t *testing.T) {
	_, err := reading.New(&world{wait: true}, nil, time.Millisecond).Read(context.Background())
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// What is told in pieces is told once, and of it nothing that was left out.
func TestQueueIsSummed(t *testing.T) {
	share := func(d ...time.Duration) (s []cmwq.ShareSnapshot) {
		for _, d := range d {
			s = append(s, cmwq.ShareSnapshot{InFlight: []cmwq.InFlight{{For: d}}})
		}
		return s
	}
	w := world{}
	w.at(1,
		cmwq.QueueSnapshot{Name: "a/1", Child: true, Kind: "bh", Flags: []string{"bh"}, Shares: share(time.Second, 3*time.Second),
			Stats: cmwq.Stats{Total: 9, Queued: 17, InFlight: 2, Active: 5, Inactive: 4, Delayed: 3}},
		cmwq.QueueSnapshot{Name: "a/2", Child: true, Kind: "percpu", Flags: []string{"percpu", "frozen", "draining"}, Shares: share(2 * time.Second),
			Stats: cmwq.Stats{Total: 1, Queued: 1, InFlight: 1, Active: 1, MaxActive: 8}},
		cmwq.QueueSnapshot{Name: "hidden", Stats: cmwq.Stats{Total: 100}},
	)
	r := reading.New(&w, func(q *cmwq.QueueSnapshot) string {
		if q.Name == "hidden" {
			return ""
		}
		return "bad\xffname"
	}, 0)
	got := read(t, r).Queues
	require.Len(t, got, 1)
	q := got[0]
	q.Counts, q.Since = reading.Counts{}, time.Time{}
	require.Equal(t, reading.Queue{
		Name: "bad\uFFFDname", Kind: "mixed", Queues: 2, Held: 1,
		Depth: 7, InFlight: 3, Active: 6, Inactive: 4, Delayed: 3, MaxActive: 8,
		Unfinished: 6 * time.Second, Longest: 3 * time.Second,
	}, q)
	require.EqualValues(t, 18, got[0].Counts[reading.Adds])
}

// Pools that no queue has are left out; the two of a CPU have different names.
func TestPools(t *testing.T) {
	w := world{}
	w.snap.Pools = []cmwq.PoolSnapshot{
		{Name: "0", CPU: 0, Kind: "percpu", Refs: 1, Hung: time.Second},
		{Name: "0", CPU: 0, Kind: "percpu", HighPri: true, Refs: 1, Hung: time.Second, Waiting: 1},
		{Name: "1", CPU: 1, Kind: "percpu"},
		{Name: "u4", CPU: -1, Kind: "managed", HighPri: true, Waiting: 1},
	}
	var names []string
	var hung time.Duration
	for _, p := range read(t, reading.New(&w, nil, 0)).Pools {
		names, hung = append(names, p.Name), hung+p.Hung
	}
	require.Equal(t, []string{"0", "0H", "u4"}, names)
	require.Equal(t, time.Second, hung, "where nothing waits nothing hangs")
}
