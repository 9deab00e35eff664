package observe

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// execution is an execution for so many seconds.
func execution(state string, seconds float64) cmwq.InFlight {
	return cmwq.InFlight{Worker: "kworker/0:3", Func: "example.com/shop/pay.(*till).count-fm", State: state, For: time.Duration(seconds * 1e9)}
}

// sampled is what is found of one queue on pool 0, after so many seconds of looking.
func sampled(q cmwq.QueueSnapshot, hung float64, before ...cmwq.QueueSnapshot) *sample {
	at := time.Unix(1000, 0)
	var s *sample
	for _, q := range append(before, q) {
		n := s.next(&cmwq.Snapshot{
			At: at, Queues: []cmwq.QueueSnapshot{q},
			Pools: []cmwq.PoolSnapshot{{Name: "0", Hung: time.Duration(hung * 1e9)}},
		})
		n.diagnose(s, 5*time.Second)
		s, at = n, at.Add(10*time.Second)
	}
	return s
}

func share(s cmwq.ShareSnapshot) []cmwq.ShareSnapshot {
	s.Pool = "0"
	return []cmwq.ShareSnapshot{s}
}

// Each sentence names the queue, what waits and since when, and who holds it up.
func TestSentences(t *testing.T) {
	for name, test := range map[string]struct {
		shares []cmwq.ShareSnapshot
		flags  []string
		hung   float64
		want   string
	}{
		"idle": {},
		"a pool without progress": {
			shares: share(cmwq.ShareSnapshot{
				Active: 13, InFlight: []cmwq.InFlight{execution("running", 31)}, Pending: []cmwq.Run{{N: 12}},
			}), hung: 31,
			want: "stuck: Queue mail: 12 items wait in pool 0, nothing started there for 31 s; kworker/0:3 runs pay.(*till).count for 31 s.",
		},
		"a pool that stands for a moment": {
			shares: share(cmwq.ShareSnapshot{Active: 13, InFlight: []cmwq.InFlight{execution("running", 4)}, Pending: []cmwq.Run{{N: 12}}}),
			hung:   4,
		},
		"no slot": {
			shares: share(cmwq.ShareSnapshot{
				Active: 2, Inactive: 1, InFlight: []cmwq.InFlight{execution("sleeping", 8), execution("sleeping", 7200)},
			}),
			want: "stuck: Queue mail: 1 item waits for a slot of max_active 2, nothing started for 8.0 s; kworker/0:3 sleeps in pay.(*till).count for 2 h, and 1 more.",
		},
		"a slot came free": {
			shares: share(cmwq.ShareSnapshot{
				Active: 2, Inactive: 1, InFlight: []cmwq.InFlight{execution("sleeping", 2), execution("sleeping", 7200)},
			}),
		},
		"a slot that is about to be used": {
			shares: share(cmwq.ShareSnapshot{Active: 2, Inactive: 1, InFlight: []cmwq.InFlight{execution("sleeping", 7200)}}),
		},
		"paused": {
			shares: share(cmwq.ShareSnapshot{Inactive: 3}), flags: []string{"managed", "paused"}, hung: 99,
			want: "halted: Queue mail is paused: 3 items wait for Resume.",
		},
		"frozen": {
			shares: share(cmwq.ShareSnapshot{Inactive: 1}), flags: []string{"managed", "freezable", "frozen"},
			want: "halted: Queue mail is frozen: 1 item waits for Thaw.",
		},
		"paused, and nothing waits": {flags: []string{"managed", "paused"}},
		"hog": {
			shares: share(cmwq.ShareSnapshot{Active: 1, InFlight: []cmwq.InFlight{execution("hog", .25)}}),
			want:   "hog: Queue mail: kworker/0:3 has had the CPU for 250 ms in pay.(*till).count.",
		},
		"silent": {
			shares: share(cmwq.ShareSnapshot{Active: 1, InFlight: []cmwq.InFlight{execution("assumed asleep", .5)}}),
			want:   "silent: Queue mail: kworker/0:3 blocks in pay.(*till).count for 500 ms, and has not said so.",
		},
		"asleep, and said so": {shares: share(cmwq.ShareSnapshot{Active: 1, InFlight: []cmwq.InFlight{execution("sleeping", 500)}})},
		"intensive, as declared": {
			shares: share(cmwq.ShareSnapshot{Active: 1, InFlight: []cmwq.InFlight{execution("cpu-intensive", 500)}}),
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := sampled(cmwq.QueueSnapshot{Name: "mail", Flags: test.flags, Shares: test.shares}, test.hung)
			if test.want == "" {
				require.Empty(t, s.alerts)
				require.Equal(t, fine, s.levels[0])
				return
			}
			require.Len(t, s.alerts, 1)
			require.Equal(t, test.want, fmt.Sprintf("%s: %s", s.alerts[0].level, s.alerts[0].text))
			require.Equal(t, s.alerts[0].level, s.levels[0])
		})
	}
}

var (
	blocked = &cmwq.Where{State: "chan receive", File: "/home/me/shop/till.go", Line: 12}
	runs    = &cmwq.Where{State: "running", File: "/home/me/shop/till.go", Line: 7}
)

// What is known of where an item is, is told; and it tells a hog from one that blocks.
func TestSentencesWithAPlace(t *testing.T) {
	for name, test := range map[string]struct {
		kind, state string
		where       *cmwq.Where
		inactive    int
		want        string
	}{
		"running, and nobody knows":   {"managed", "running", nil, 0, ""},
		"running, and it does":        {"managed", "running", runs, 0, "hog: Queue mail: kworker/0:3 has had the CPU for 8.0 s in pay.(*till).count, now at till.go:7."},
		"running, and it does not":    {"managed", "running", blocked, 0, "silent: Queue mail: kworker/0:3 blocks in pay.(*till).count for 8.0 s, and has not said so: chan receive at till.go:12."},
		"a hog that blocks by now":    {"percpu", "hog", blocked, 0, "silent: Queue mail: kworker/0:3 blocks in pay.(*till).count for 8.0 s, and has not said so: chan receive at till.go:12."},
		"asleep, and it says so":      {"managed", "sleeping", blocked, 0, ""},
		"intensive, as declared":      {"managed", "cpu-intensive", runs, 0, ""},
		"a kind that may block":       {"unbound", "running", blocked, 0, ""},
		"a kind that may have CPUs":   {"unbound", "running", runs, 0, ""},
		"a kind that nobody can pass": {"ordered", "running", blocked, 3, "stuck: Queue mail: 3 items wait for a slot of max_active 1, nothing started for 8.0 s; kworker/0:3 blocks in pay.(*till).count for 8.0 s: chan receive at till.go:12."},
	} {
		t.Run(name, func(t *testing.T) {
			q := cmwq.QueueSnapshot{Name: "mail", Kind: test.kind, Shares: share(cmwq.ShareSnapshot{
				Active: 1, Inactive: test.inactive, InFlight: []cmwq.InFlight{execution(test.state, 8)},
			})}
			var none *sample
			s := none.next(&cmwq.Snapshot{At: time.Unix(1000, 0), Queues: []cmwq.QueueSnapshot{q}})
			if test.where != nil {
				s.learn(&cmwq.Diagnosis{Items: []cmwq.Diagnosed{{InFlight: execution(test.state, 8), Where: test.where}}})
			}
			s.diagnose(nil, 5*time.Second)
			var got string
			for _, a := range s.alerts {
				got += fmt.Sprintf("%s: %s", a.level, a.text)
			}
			require.Equal(t, test.want, got)
		})
	}
}

func counted(total, failed, retried, dead, hogs int64) cmwq.QueueSnapshot {
	q := cmwq.QueueSnapshot{Name: "mail"}
	q.Stats.Total, q.Stats.Failed, q.Stats.Retried, q.Stats.DeadLettered, q.Stats.CPUHog = total, failed, retried, dead, hogs
	return q
}

func TestSentencesOfNumbers(t *testing.T) {
	first := counted(100, 7, 0, 0, 50)
	require.Empty(t, sampled(first, 0).alerts, "what was before somebody looked is old")
	s := sampled(counted(150, 9, 4, 1, 50), 0, first)
	require.Len(t, s.alerts, 1)
	require.Equal(t, "Queue mail: in the last 10 s 2 items failed for good, 1 is a dead letter, 4 were tried again.", s.alerts[0].text)
	require.InDelta(t, 5, s.tracks[0].rate, 1e-9)
	long := counted(110, 7, 0, 0, 50)
	long.Stats.CPUTime = 4 * time.Second
	s = sampled(long, 0, first)
	require.Equal(t, "Queue mail: items have their worker for 400 ms each, and do not say whether they sleep (in the last 10 s).", s.alerts[0].text)
	long.Flags = []string{"percpu", "cpu_intensive"}
	require.Empty(t, sampled(long, 0, first).alerts, "as it was declared")
	long.Flags, long.Kind = nil, "unbound"
	require.Empty(t, sampled(long, 0, first).alerts, "they hold up nobody")
	long.Kind, long.Stats.CPUTime = "", 190*time.Millisecond
	require.Empty(t, sampled(long, 0, first).alerts, "it is not long")

	// What failed is told for a window or two, and then it is old, too.
	bad := counted(200, 8, 0, 0, 50)
	for n, want := range map[int]int{1: 1, 3: 1, 4: 1, 8: 0} {
		after := []cmwq.QueueSnapshot{first}
		for range n {
			after = append(after, bad)
		}
		require.Len(t, sampled(bad, 0, after...).alerts, want, n)
	}

	// A queue of the same name that is another one begins anew.
	s = sampled(counted(3, 0, 0, 0, 0), 0, counted(100, 7, 0, 0, 0))
	require.Empty(t, s.alerts)
	require.Zero(t, s.tracks[0].rate)
}

// Whatever holds work up, it is noticed that nothing starts; not if items start, and not
// if none waits.
func TestNothingStarts(t *testing.T) {
	waits := func(total int64) cmwq.QueueSnapshot {
		q := counted(total, 0, 0, 0, 0)
		q.Shares = share(cmwq.ShareSnapshot{Inactive: 2})
		return q
	}
	require.Empty(t, sampled(waits(5), 0).alerts)
	s := sampled(waits(5), 0, waits(5))
	require.Equal(t, "Queue mail: 2 items wait, nothing started for 10 s.", s.alerts[0].text)
	require.Empty(t, sampled(waits(6), 0, waits(5)).alerts)
	require.Empty(t, sampled(waits(5), 0, counted(5, 0, 0, 0, 0)).alerts, "it waits since now")
}

// What a queue's items do that nobody met, the program may have reported.
func TestReportsStandForWhatNobodyMet(t *testing.T) {
	for name, test := range map[string]struct {
		hogs []cmwq.Hog
		want string
	}{
		"a hog":             {[]cmwq.Hog{{Queue: "mail", Where: runs}}, "hog: Queue mail: items have their worker for 100 ms each, and compute (in the last 10 s), one was seen at till.go:7."},
		"a sleeper":         {[]cmwq.Hog{{Queue: "mail"}, {Queue: "mail", Where: blocked}}, "silent: Queue mail: items have their worker for 100 ms each, and block without saying so (in the last 10 s), one was seen at till.go:12."},
		"of others, unseen": {[]cmwq.Hog{{Queue: "post", Where: runs}, {Queue: "mail"}}, "hog: Queue mail: items have their worker for 100 ms each, and do not say whether they sleep (in the last 10 s)."},
	} {
		t.Run(name, func(t *testing.T) {
			at := time.Unix(1000, 0)
			var none *sample
			was := none.next(&cmwq.Snapshot{At: at, Queues: []cmwq.QueueSnapshot{counted(0, 0, 0, 0, 0)}})
			was.diagnose(nil, 5*time.Second)
			long := counted(10, 0, 0, 0, 0)
			long.Stats.CPUTime = time.Second
			s := was.next(&cmwq.Snapshot{At: at.Add(10 * time.Second), Queues: []cmwq.QueueSnapshot{long}, Hogs: test.hogs})
			s.diagnose(was, 5*time.Second)
			require.Len(t, s.alerts, 1)
			require.Equal(t, test.want, fmt.Sprintf("%s: %s", s.alerts[0].level, s.alerts[0].text))
		})
	}
}

// Who looks at failures wants to know what they say; it is anybody's text.
func TestFailuresSayWhatTheyAre(t *testing.T) {
	q := counted(150, 9, 0, 0, 0)
	q.LastFailure = &cmwq.LastFailure{Error: "no\nspace"}
	require.Equal(t, `Queue mail: in the last 10 s 2 items failed for good. Lately: no\u{a}space.`, sampled(q, 0, counted(100, 7, 0, 0, 0)).alerts[0].text)
}

// Hogs come and go: what was seen stays for a while, as the past.
func TestAlertsLinger(t *testing.T) {
	hog := cmwq.QueueSnapshot{Name: "mail", Shares: share(cmwq.ShareSnapshot{Active: 1, InFlight: []cmwq.InFlight{execution("hog", 1)}})}
	idle := cmwq.QueueSnapshot{Name: "mail"}
	s := sampled(idle, 0, hog)
	require.Len(t, s.alerts, 1)
	require.Less(t, s.alerts[0].seen, s.snap.At)
	require.Equal(t, fine, s.levels[0])
	require.Empty(t, sampled(idle, 0, hog, idle).alerts)
	s = sampled(hog, 0, hog)
	require.Len(t, s.alerts, 1, "once, if it is still the case")
	require.Equal(t, s.snap.At, s.alerts[0].seen)
	long := hog
	long.Shares, long.Stats.Total, long.Stats.CPUTime = nil, 10, time.Second
	s = sampled(long, 0, hog)
	require.Len(t, s.alerts, 1, "what was seen is better than what numbers tell")
	require.Equal(t, "kworker/0:3", s.alerts[0].worker)
	s = sampled(long, 0, hog, idle)
	require.Empty(t, s.alerts[0].worker)
	require.Equal(t, "Queue mail: items have their worker for 100 ms each, and compute (in the last 20 s).", s.alerts[0].text)
}

// Of many alerts the worst are kept, and the rest is counted.
func TestTooManyAlerts(t *testing.T) {
	snap := &cmwq.Snapshot{At: time.Unix(1000, 0)}
	for i := range 100 {
		q := cmwq.QueueSnapshot{Name: fmt.Sprintf("q%02d", i), Flags: []string{"managed", "paused"}, Shares: share(cmwq.ShareSnapshot{Inactive: 1 + i})}
		if i == 50 {
			q.Flags = nil
			q.Shares[0].InFlight, q.Shares[0].Active = []cmwq.InFlight{execution("sleeping", 60)}, 1
		}
		snap.Queues = append(snap.Queues, q)
	}
	var none *sample
	s := none.next(snap)
	s.diagnose(nil, time.Second)
	require.Len(t, s.alerts, maxAlerts)
	require.Equal(t, 100-maxAlerts, s.more)
	require.Equal(t, stuck, s.alerts[0].level)
	require.Equal(t, "q99", s.alerts[1].queue)
	require.Equal(t, "q98", s.alerts[2].queue)
}
