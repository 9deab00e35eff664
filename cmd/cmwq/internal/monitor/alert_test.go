package monitor_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/monitor"
	"github.com/cmwq/cmwq/messages"
)

// What is wrong is said in a sentence, the worst first.
func TestAlerts(t *testing.T) {
	flight := func(state string, d time.Duration) messages.InFlight {
		return messages.InFlight{Worker: "kworker/0:1", Func: "example.com/app.poll", For: d, State: state}
	}
	queue := func(name string, s messages.ShareSnapshot) messages.QueueSnapshot {
		s.Queue = name
		return messages.QueueSnapshot{Name: name, Kind: "managed", Shares: []messages.ShareSnapshot{s}}
	}
	before := &messages.Snapshot{At: time.Unix(100, 0), Queues: []messages.QueueSnapshot{queue("mail", messages.ShareSnapshot{}), queue("brief", messages.ShareSnapshot{})}}
	now := &messages.Snapshot{
		At: time.Unix(102, 0),
		Queues: []messages.QueueSnapshot{
			queue("fine", messages.ShareSnapshot{Pool: "u1", Active: 1, InFlight: []messages.InFlight{flight("running", time.Hour)}}),
			queue("mail", messages.ShareSnapshot{}),
			queue("silent", messages.ShareSnapshot{Pool: "u1", Active: 1, InFlight: []messages.InFlight{flight("assumed asleep", 3*time.Second)}}),
			queue("hog", messages.ShareSnapshot{Pool: "u1", Active: 2, InFlight: []messages.InFlight{flight("hog", time.Second), flight("hog", 2*time.Second)}}),
			queue("brief", messages.ShareSnapshot{}),
			queue("full", messages.ShareSnapshot{Pool: "u1", Active: 1, Inactive: 30, MaxActive: 1, InFlight: []messages.InFlight{flight("sleeping", time.Minute)}}),
			queue("busy", messages.ShareSnapshot{Pool: "u1", Active: 2, Inactive: 30, MaxActive: 2, InFlight: []messages.InFlight{flight("running", time.Minute), flight("running", time.Second)}}),
			queue("paused", messages.ShareSnapshot{Pool: "u1", Active: 1, Inactive: 2, MaxActive: 1, InFlight: []messages.InFlight{flight("running", time.Minute)}}),
			queue("stopped", messages.ShareSnapshot{Pool: "0", Active: 2, InFlight: []messages.InFlight{flight("hog", time.Minute)}}),
		},
		Pools: []messages.PoolSnapshot{{Name: "0", Waiting: 1, Hung: time.Minute}, {Name: "u1", Waiting: 1, Hung: time.Second}},
	}
	now.Queues[1].Stats.Failed = 5
	now.Queues[4].Stats.CPUHog = 2
	now.Queues[7].Flags = []string{"managed", "paused"}
	rows := monitor.Rows(now, before, nil)
	var said []string
	for _, a := range monitor.Alerts(now, rows) {
		said = append(said, a.Queue+"| "+a.Text)
	}
	require.Equal(t, []string{
		"stopped| pool 0 is stuck: 1 item waits, nothing began for 60.0s; kworker/0:1 is in app.poll, hog",
		"full| queue full is stuck: 30 items wait for the only slot; kworker/0:1 is in app.poll for 60.0s, sleeping",
		"hog| queue hog: app.poll has had the CPU for 2.00s",
		"brief| queue brief hogs: 2 items had their CPU for too long",
		"silent| queue silent: app.poll blocks without a word, for 3.00s",
		"mail| queue mail fails: 2.50 items a second",
		"paused| queue paused is paused: 2 items wait",
	}, said)
	var stuck []string
	for _, r := range rows {
		if r.Stuck {
			stuck = append(stuck, r.Name)
		}
	}
	require.Equal(t, []string{"full", "stopped"}, stuck)
}

// Numbers are as wide as their columns, whatever they are.
func TestNumbersFit(t *testing.T) {
	for _, x := range []float64{0, 0.004, 0.5, 9.994, 9.996, 99.94, 99.96, 999.6, 9999.4, 9999.6, 123456, 9.9996e6, 1e9, 1e12, 1e15, 9e15} {
		require.LessOrEqual(t, len(monitor.Rate(x)), 5, "%g: %s", x, monitor.Rate(x))
	}
	require.Equal(t, "-", monitor.Rate(-1))
	for _, d := range []time.Duration{0, 999, 1000, 999999, 1e6, 999999999, 1e9, 999 * time.Second, 1000 * time.Second, 99 * time.Hour, 101 * time.Hour, 400 * 24 * time.Hour} {
		require.LessOrEqual(t, len([]rune(monitor.Span(d))), 7, "%v: %s", d, monitor.Span(d))
	}
	require.LessOrEqual(t, len(monitor.Count(1<<62)), 8)
}
