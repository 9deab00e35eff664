package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/internal/sim"
)

func TestParse(t *testing.T) {
	t.Parallel()
	s, err := sim.Parse(`
		# everything there is
		machine cpus=4 quantum=1 hog=20 create=0.5 busy=2 gauges=off
		pool unbound width=2
		queue q0 max_active=3 cpu_intensive # and a comment
		queue q1 ordered
		item a q1 at=7: burn 5, sleep 10us, block 1s
	`)
	require.NoError(t, err)
	require.Equal(t, sim.Scenario{
		CPUs: 4, Width: 2, Quantum: time.Millisecond, Hog: 20 * time.Millisecond, Create: 500 * time.Microsecond,
		Busy: 2, NoGauges: true, Kind: policy.Unbound,
		Queues: []sim.Queue{{Name: "q0", MaxActive: 3, CPUIntensive: true}, {Name: "q1", MaxActive: 1}},
		Items: []sim.Item{{Name: "a", Queue: 1, At: 7 * time.Millisecond, Steps: []sim.Step{
			{Do: sim.Burn, For: 5 * time.Millisecond}, {Do: sim.Sleep, For: 10 * time.Microsecond}, {Do: sim.Block, For: time.Second},
		}}},
	}, s)
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"pool wide":                        "line 1: wide: unknown kind",
		"\nmachine gpus=1":                 "line 2: gpus=1: unknown",
		"machine busy=1":                   "needs a quantum",
		"queue":                            "needs a name",
		"queue q max_active=x":             "max_active=x",
		"item a":                           "a name and a queue",
		"item a q: burn 1":                 `no queue "q"`,
		"queue q\nitem a q in=2: burn 1":   "want at=TIME",
		"queue q\nitem a q: burn":          "want burn, sleep or block",
		"queue q\nitem a q: ponder 1":      `unknown step "ponder"`,
		"queue q\nitem a q: burn 1, sleep": "want burn, sleep or block",
		"water the plants":                 `unknown "water"`,
		" : burn 1":                        `line 1: nothing before ": burn 1"`,
		"\n\nmachine cpus=0":               "line 3: cpus=0: want 1 to",
		"pool managed width=-1":            "line 1: width=-1",
		"machine busy=-1":                  "busy=-1: want 0",
		"machine quantum=0.001":            "quantum: want 0 or 10µs",
		"machine hog=-1":                   "hog: want a time",
		"machine create=Inf":               "create: want a time",
		"queue q max_active=0":             "max_active=0: want 1",
		"queue q\nqueue q":                 `line 2: there is a queue "q"`,
		"queue q\nitem a q: burn NaN":      "line 2: burn: want a time",
		"queue q\nitem a q: sleep 2h":      "line 2: sleep: want a time",
		"queue q\nitem a q at=-1: burn 1":  "at: want a time",
	} {
		_, err := sim.Parse(text)
		require.ErrorContains(t, err, want, text)
	}
}
