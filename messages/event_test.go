package messages_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

func TestEventText(t *testing.T) {
	for want, e := range map[string]messages.Event{
		"queue queue=q pool=0 item=0x10 cpu=3": {Kind: messages.EventQueue, Queue: "q", Pool: "0", Item: 16, N: 1, CPU: 3},
		"queue queue=\"a b\" pool=0 item=0x10": {Kind: messages.EventQueue, Queue: "a b", Pool: "0", Item: 16, N: 1, CPU: -1},
		"start queue=q worker=kworker/0:1 item=0x10 attempt=2 wait=0s": {
			Kind: messages.EventStart, Queue: "q", Worker: "kworker/0:1", Item: 16, N: 1, Attempt: 2},
		"end queue=q item=0x10 wait=1ms run=2s err=no": {
			Kind: messages.EventEnd, Queue: "q", Item: 16, N: 1, Wait: time.Millisecond, Run: 2 * time.Second, Err: errors.New("no")},
		`mayday queue="\x1b[2J"`:                {Kind: messages.EventMayday, Queue: "\x1b[2J"},
		`mayday queue="a\u202eb"`:               {Kind: messages.EventMayday, Queue: "a\u202eb"},
		`mayday queue="\"a"`:                    {Kind: messages.EventMayday, Queue: `"a`},
		"kick queue=q pool=u1 worker=w items=7": {Kind: messages.EventKick, Queue: "q", Pool: "u1", Worker: "w", N: 7},
		"sleep queue=q item=0x10 assumed=true":  {Kind: messages.EventSleep, Queue: "q", Item: 16, N: 1, Assumed: true},
		"cull pool=1H worker=w":                 {Kind: messages.EventCull, Pool: "1H", Worker: "w"},
	} {
		require.Equal(t, want, e.String())
	}
}

func TestEventNamesInJSON(t *testing.T) {
	b, err := json.Marshal(struct {
		K messages.EventKind
		I messages.ItemID
	}{messages.EventMayday, 255})
	require.NoError(t, err)
	require.JSONEq(t, `{"K":"mayday","I":"0xff"}`, string(b))
	var k messages.EventKind
	require.NoError(t, json.Unmarshal([]byte(`"wake"`), &k))
	require.Equal(t, messages.EventWake, k)
	var i messages.ItemID
	require.NoError(t, json.Unmarshal([]byte(`"0xff"`), &i))
	require.EqualValues(t, 255, i)
	require.Error(t, json.Unmarshal([]byte(`"ff ff"`), &i))
}

// No name moves the cursor of a terminal, or begins a line of its own.
func TestDiagnosedIsOneLine(t *testing.T) {
	d := messages.Diagnosed{Queue: "a\n\x1b[2Jb", InFlight: messages.InFlight{Worker: "w\n", Func: "f", State: "running"}}
	require.Equal(t, `"a\n\x1b[2Jb": "w\n" f for 0s, running`, d.String())
}

// An item keeps its name, and none is the name of another.
func TestItemID(t *testing.T) {
	var a, b messages.Item
	require.NotEqual(t, a.ID(), b.ID())
	id := a.ID()
	e := messages.Event{}
	e.About(&a, 0)
	require.Equal(t, id, e.Item)
	require.Empty(t, e.FuncName())
}
