package messages

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestThread(t *testing.T) {
	const ms = time.Millisecond
	for _, x := range []struct {
		t       *Thread
		starved bool
		says    string
	}{
		{&Thread{CPUs: "0"}, false, "ran 0s on CPU 0"},
		{&Thread{CPUs: "0-3", Ran: 12345678}, false, "ran 12.3ms on CPU 0-3"},
		{&Thread{CPUs: "0", Ran: 5 * ms, Waited: 5 * ms}, false, "ran 5ms on CPU 0, waited 5ms for it"},
		{&Thread{CPUs: "0", Ran: 999, Waited: 29876 * ms}, true, "starved by others: ran 999ns on CPU 0, waited 29.9s for it"},
	} {
		require.Equal(t, x.starved, x.t.Starved())
		require.Equal(t, x.says, x.t.String())
	}
	require.False(t, (*Thread)(nil).Starved())
	e := InFlight{Worker: "kworker/0:1", Func: "main.f", For: time.Second, State: "running", Thread: &Thread{CPUs: "0", Waited: time.Second}}
	require.Equal(t, "kworker/0:1 main.f for 1s, running, starved by others: ran 0s on CPU 0, waited 1s for it", e.String())
}
