package actors

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// Controls travel in the list of the items, or a Flush would overtake a Queue.
func TestMailboxIsOneFIFOForItemsAndControls(t *testing.T) {
	o := newOwner()
	o.box.status.Store(busy) // somebody's turn: all that comes is read by its next look
	var sent []*messages.Item
	for i, it := range items(10) {
		if i%3 == 1 {
			it = &messages.NewControl(i).Item
			o.box.post(it)
		} else {
			require.True(t, o.box.queue(it))
		}
		sent = append(sent, it)
	}
	o.box.turn(inlineTurns)
	require.Equal(t, sent, o.got)
	require.Equal(t, idle, o.box.status.Load())
}

func TestMailboxListIsLinkedBothWays(t *testing.T) {
	o := newOwner()
	all := items(4)
	o.box.status.Store(busy)
	for _, it := range all {
		o.box.queue(it)
	}
	it := o.box.take()
	for i := range all {
		require.Same(t, all[i], it)
		if i > 0 {
			require.Same(t, all[i-1], it.Prev)
		}
		it = it.Next
	}
	require.Nil(t, it)
}

func TestPushOntoAnIdleMailboxRunsATurnOnTheCaller(t *testing.T) {
	o := newOwner()
	require.True(t, o.box.queue(items(1)[0]))
	require.Equal(t, 1, o.turns)
	require.Empty(t, o.disp.fns, "nothing was scheduled")
	ran, ok := o.box.post(&messages.NewControl(0).Item)
	require.True(t, ran)
	require.True(t, ok)
	require.Equal(t, 2, o.turns)
}

// A caller who queues must not become the pool's thread for ever.
func TestACallerRunsFourTurnsAtMost(t *testing.T) {
	o := newOwner()
	all := items(20)
	o.during = func() {
		if len(o.got) < len(all) {
			o.box.queue(all[len(o.got)])
		}
	}
	o.box.queue(all[0])
	require.Equal(t, inlineTurns, o.turns)
	require.Len(t, o.disp.fns, 1)
	require.Equal(t, busy, o.box.status.Load(), "the turn is handed over, not ended")
	require.Equal(t, 1, o.disp.run())
	require.Equal(t, all, o.got)
	require.Equal(t, idle, o.box.status.Load())
}

// Warning 5: a Done that is posted while a turn is about to rest in quiet, where
// items may lie, must be read by one more turn.
func TestAControlPostedDuringATurnIsReadWhateverTheTurnRestsIn(t *testing.T) {
	for _, state := range []int32{idle, quiet, wake} {
		o := newOwner()
		o.state = state
		done := &messages.NewControl("done").Item
		o.during = func() {
			if o.turns == 1 {
				ran, ok := o.box.post(done)
				require.True(t, ok)
				require.False(t, ran, "it does not run inside the turn")
			}
		}
		o.box.queue(items(1)[0])
		require.Len(t, o.got, 2)
		require.Same(t, done, o.got[1])
		require.Equal(t, state, o.box.status.Load())
	}
}

// An item that is pushed while a turn is about to rest in idle relies on the look
// after it.
func TestAnItemPushedDuringATurnIsSeen(t *testing.T) {
	o := newOwner()
	all := items(2)
	o.during = func() {
		if o.turns == 1 {
			o.box.queue(all[1])
		}
	}
	o.box.queue(all[0])
	require.Equal(t, all, o.got)
}

func TestAQuietMailboxNeedsNoTurnForItems(t *testing.T) {
	o := newOwner()
	o.box.clock = func() int64 { return 42 }
	o.box.status.Store(quiet)
	all := items(3)
	for _, it := range all {
		o.box.queue(it)
	}
	require.Zero(t, o.turns)
	require.EqualValues(t, 42, o.box.since.Load(), "the first push is stamped")
	o.box.post(&messages.NewControl("done").Item)
	require.Equal(t, all, o.got[:3])
	require.Len(t, o.got, 4)
}

// Warning 7: a woken worker looks for what was pushed while it was on its way.
func TestAWokenWorkerLooks(t *testing.T) {
	o := newOwner()
	o.box.status.Store(wake)
	it := items(1)[0]
	o.box.queue(it)
	require.Zero(t, o.turns)
	o.box.look()
	require.Equal(t, []*messages.Item{it}, o.got)
	require.Equal(t, idle, o.box.status.Load())

	o.box.status.Store(wake)
	o.box.look()
	require.Equal(t, 1, o.turns, "there was nothing: no turn")
	require.Equal(t, idle, o.box.status.Load(), "from now on pushes run turns")
}

// Warning 7, the other half: a turn that has read that the worker did not start
// is about to rest in wake, for ever.
func TestALookDuringATurnMakesItLookAgain(t *testing.T) {
	o := newOwner()
	started := false
	o.box.rest = func() int32 {
		if started {
			return idle
		}
		if o.turns == 1 { // the worker starts between this answer and the end of the turn
			started = true
			o.box.look()
		}
		return wake
	}
	o.box.queue(items(1)[0])
	require.Equal(t, 2, o.turns)
	require.Equal(t, idle, o.box.status.Load())
}
