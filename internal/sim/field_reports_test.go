package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// started says when an item of a scenario had a CPU for the first time.
func started(t *testing.T, text, item string) time.Duration {
	t.Helper()
	s, err := Parse(text)
	require.NoError(t, err)
	trace := Run(s)
	require.NoError(t, trace.Err)
	for _, e := range trace.Events {
		if e.Item == item && e.Kind == Start {
			return e.At
		}
	}
	t.Fatalf("%s never started", item)
	return 0
}

const ms = time.Millisecond

// An item burns for 10 s on a CPU, and a short one is behind it.
func TestR1HogBeforeAShortItem(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		machine, pool, queues, hog string
		want                       time.Duration
	}{
		"nobody looks for hogs":        {"hog=0", "percpu", "queue h\nqueue q", "h: burn 10000", 10000 * ms},
		"on the same queue":            {"hog=0", "percpu", "queue q", "q: burn 10000", 10000 * ms},
		"the automatic rule":           {"", "percpu", "queue h\nqueue q", "h: burn 10000", 10 * ms},
		"CPU-intensive":                {"hog=0", "percpu", "queue h cpu_intensive\nqueue q", "h: burn 10000", 1 * ms},
		"unbound":                      {"hog=0", "unbound", "queue h\nqueue q", "h: burn 10000", 1 * ms},
		"it sleeps now and then":       {"hog=0", "percpu", "queue h\nqueue q", "h: burn 5, sleep 1, burn 9995", 5 * ms},
		"it sleeps, and runs on after": {"", "percpu", "queue h\nqueue q", "h: burn 5, sleep 1, burn 9, sleep 1, burn 9", 5 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := "machine cpus=1 quantum=1 " + tt.machine + "\npool " + tt.pool + "\n" + tt.queues +
				"\nitem long " + tt.hog + "\nitem short q: burn 1"
			require.Equal(t, tt.want, started(t, text, "short"))
		})
	}
}

// A neighbour with far more to do than the pool leaves the bound worker one slice
// in thirty. Whoever may use the CPU beside it does not notice.
func TestR36BusyNeighbour(t *testing.T) {
	t.Parallel()
	const item = "\nqueue q\nitem a q: burn 1"
	bound := started(t, "machine cpus=1 quantum=1 busy=30 hog=0 gauges=off\npool percpu"+item, "a")
	require.Equal(t, 30*ms, bound)
	strict := started(t, "machine cpus=1 quantum=1 busy=30 hog=0 gauges=off\npool unbound"+item, "a")
	require.Equal(t, bound, strict, "unbound, but of a pod of that one CPU")
	free := started(t, "machine cpus=2 quantum=1 busy=1 hog=0 gauges=off\npool unbound"+item, "a")
	require.Zero(t, free)
}
