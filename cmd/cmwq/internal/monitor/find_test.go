package monitor_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/monitor"
	"github.com/cmwq/cmwq/messages"
)

// busy is a queue whose items have their worker for so long on the average.
func busy(name string, each time.Duration, flags ...string) messages.QueueSnapshot {
	return messages.QueueSnapshot{Name: name, Kind: "managed", Flags: flags, Stats: messages.Stats{Total: 10, CPUTime: 10 * each}}
}

func seenAt(queue, state string, at messages.Where, d time.Duration) messages.Diagnosed {
	return messages.Diagnosed{
		Queue: queue, InFlight: messages.InFlight{Worker: "kworker/" + queue, Func: "example.com/app.work", For: d, State: state}, Where: &at,
	}
}

var (
	computes = messages.Where{State: messages.OnCPU, File: "/src/app/work.go", Line: 7}
	sleeps   = messages.Where{State: "sleep", File: "/src/app/work.go", Line: 9}
)

// alerts are what Find says, a line each.
func alerts(t *testing.T, now, before *messages.Snapshot, items []messages.Diagnosed, seen monitor.Seen) []string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, monitor.WriteAlerts(&b, monitor.Find(now, monitor.Rows(now, before, nil), items, seen), items))
	return strings.Split(strings.TrimSpace(b.String()), "\n")
}

// Where items are tells a hog from who blocks without a word; those that said so, and those
// of queues that hold nobody up, are neither.
func TestFindTellsHogsFromSleepers(t *testing.T) {
	now := &messages.Snapshot{At: time.Unix(100, 0), Queues: []messages.QueueSnapshot{
		busy("burns", 0), busy("blocks", 0), busy("brief", 0), busy("sleeps", 0), busy("declared", time.Hour, "cpu_intensive"),
		{Name: "unbound", Kind: "unbound"},
	}}
	items := []messages.Diagnosed{
		seenAt("burns", "running", computes, time.Second), seenAt("blocks", "running", sleeps, time.Second),
		seenAt("brief", "running", computes, 100*time.Millisecond), seenAt("sleeps", "sleeping", sleeps, time.Minute),
		seenAt("declared", "cpu-intensive", computes, time.Minute), seenAt("unbound", "running", computes, time.Minute),
	}
	require.Equal(t, []string{
		"H queue burns: app.work has had the CPU for 1.00s, running at work.go:7",
		"    declare the queue CPUIntensive, or have long items call ctx.Yield",
		"S queue blocks: app.work blocks without a word, in sleep at work.go:9",
		"    wrap what blocks in ctx.Block, or use ctx.Sleep and cmwq.Await",
	}, alerts(t, now, nil, items, monitor.Seen{}))
}

// A queue whose long items nobody meets is known by its numbers; what they do is as it was
// seen last, and it is not told of for ever.
func TestFindByNumbers(t *testing.T) {
	first := &messages.Snapshot{At: time.Unix(100, 0), Queues: []messages.QueueSnapshot{busy("long", 400*time.Millisecond), busy("short", time.Millisecond)}}
	seen := monitor.Seen{}
	require.Equal(t, []string{"H queue long: items have their worker for 400ms each; whether they compute or block is seen while one runs"},
		alerts(t, first, nil, nil, seen))
	require.Contains(t, alerts(t, first, nil, []messages.Diagnosed{seenAt("long", "running", sleeps, time.Second)}, seen)[0], "S queue long: app.work blocks")
	require.Equal(t, []string{"S queue long: items have their worker for 400ms each, and block without a word; one was seen blocked in sleep at work.go:9"},
		alerts(t, first, nil, nil, seen))

	later := &messages.Snapshot{At: first.At.Add(9 * time.Second), Queues: first.Queues}
	require.NotEqual(t, []string{""}, alerts(t, later, first, nil, seen))
	later.At = first.At.Add(11 * time.Second)
	require.Equal(t, []string{""}, alerts(t, later, first, nil, seen), "nothing of it began for long")
}

// What the program reported itself does for who has met nothing.
func TestFindRecallsReports(t *testing.T) {
	now := &messages.Snapshot{At: time.Unix(100, 0), Queues: []messages.QueueSnapshot{busy("burns", time.Second), busy("blocks", time.Second), busy("unseen", time.Second)}}
	now.Hogs = []messages.Hog{{Queue: "burns", Where: &computes}, {Queue: "unseen"}, {Queue: "blocks", Where: &sleeps}, {Queue: "burns", Where: &sleeps}}
	require.Equal(t, []string{
		"H queue burns: items have their worker for 1.00s each, and compute; one was seen running at work.go:7",
		"H queue unseen: items have their worker for 1.00s each; whether they compute or block is seen while one runs",
		"S queue blocks: items have their worker for 1.00s each, and block without a word; one was seen blocked in sleep at work.go:9",
	}, alerts(t, now, nil, nil, monitor.Seen{}))
	met := alerts(t, now, nil, []messages.Diagnosed{seenAt("blocks", "running", computes, time.Second)}, monitor.Seen{})
	require.Equal(t, "H queue blocks: app.work has had the CPU for 1.00s, running at work.go:7", met[0], "what is seen now counts")
}

// Who has one snapshot is told of what has failed so far, of the worst.
func TestFailed(t *testing.T) {
	now := &messages.Snapshot{At: time.Unix(100, 0)}
	for i := range int64(8) {
		now.Queues = append(now.Queues, messages.QueueSnapshot{Name: "q" + string('0'+rune(i)), Stats: messages.Stats{Total: 100, Failed: i, DeadLettered: i, Retried: 2 * i}})
	}
	now.Queues[7].LastFailure = &messages.LastFailure{Error: "no\x1bdisk"}
	as := monitor.Failed(monitor.Rows(now, nil, nil))
	require.Len(t, as, 6)
	require.Equal(t, "queue q7: 7 of 100 items failed for good so far, 7 are dead letters; 14 failures were tried again; lately: no\\x1bdisk", as[0].Text)
	require.Equal(t, "2 more queues have failed items", as[5].Text)
	require.Empty(t, monitor.Failed(nil))
}
