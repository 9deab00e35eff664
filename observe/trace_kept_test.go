package observe

import (
	"io"
	"runtime/trace"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// What a trace began, and what it did not, is forgotten when the item ends.
func TestTraceKeepsNothing(t *testing.T) {
	if trace.IsEnabled() {
		t.Skip("a trace is taken")
	}
	x := &tracer{}
	s := &x.shards[1]
	tell := func(kind cmwq.EventKind, worker, pool string) {
		x.Observe(cmwq.Event{Kind: kind, Item: 64, Queue: "q", Worker: worker, Pool: pool})
	}
	tell(cmwq.EventQueue, "", "0")
	require.Empty(t, s.waits)
	require.NoError(t, trace.Start(io.Discard))
	tell(cmwq.EventStart, "w", "0") // it was queued before
	tell(cmwq.EventQueue, "", "0")  // and again
	tell(cmwq.EventActivate, "", "0")
	tell(cmwq.EventStart, "v", "0") // of another queue: it runs twice
	tell(cmwq.EventQueue, "", "0")
	tell(cmwq.EventQueue, "", "0") // told before the start of the one before
	require.Len(t, s.waits[64], 2)
	require.Len(t, s.runs, 2)
	trace.Stop()
	tell(cmwq.EventQueue, "", "0")
	require.Len(t, s.waits[64], 2, "nobody looks any more")
	tell(cmwq.EventSleep, "w", "0")
	tell(cmwq.EventEnd, "v", "0")
	tell(cmwq.EventEnd, "w", "0")
	tell(cmwq.EventCancel, "", "") // it was armed
	require.Len(t, s.waits[64], 2)
	tell(cmwq.EventStart, "w", "0")
	tell(cmwq.EventCancel, "", "0")
	tell(cmwq.EventEnd, "w", "0")
	tell(cmwq.EventEnd, "w", "0")
	require.Empty(t, s.waits)
	require.Empty(t, s.runs)
}
