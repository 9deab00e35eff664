package actors

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

func TestWhoeverEntersHasTheTurn(t *testing.T) {
	o := newOwner()
	require.True(t, o.box.enter())
	require.False(t, o.box.enter(), "it is somebody's")
	it := items(1)[0]
	require.True(t, o.box.queue(it))
	require.Zero(t, o.turns, "it waits for that turn to end")
	o.box.leave()
	require.Equal(t, []*messages.Item{it}, o.got)
	require.Equal(t, idle, o.box.status.Load())
}

// A message wants one more look, as in any turn.
func TestAMessageThatComesDuringAnEnteredTurnIsRead(t *testing.T) {
	o := newOwner()
	require.True(t, o.box.enter())
	c := messages.NewControl(1)
	ran, ok := o.box.post(&c.Item)
	require.False(t, ran)
	require.True(t, ok)
	o.box.leave()
	require.Equal(t, []*messages.Item{&c.Item}, o.got)
	require.Equal(t, idle, o.box.status.Load())
}

// What was listed before goes first: who asks then sees it done.
func TestWhatIsListedGoesBeforeWhoEnters(t *testing.T) {
	o := newOwner()
	it := items(1)[0]
	push(&o.box.head, it) // and whoever did it has not begun a turn yet
	require.False(t, o.box.enter())
	require.Equal(t, []*messages.Item{it}, o.got)
	require.True(t, o.box.enter())
	o.box.leave()

	o.box.system.push(&actor.Started{})
	require.False(t, o.box.enter())
	require.Len(t, o.system, 1)
}

func TestNobodyEntersASuspendedOrSealedMailbox(t *testing.T) {
	o := newOwner()
	o.box.PostSystemMessage(&actor.SuspendMailbox{})
	require.False(t, o.box.enter())
	o.box.PostSystemMessage(&actor.ResumeMailbox{})
	require.True(t, o.box.enter())
	o.box.leave()
	o.box.seal()
	require.False(t, o.box.enter())
}
