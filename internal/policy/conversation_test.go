package policy

import (
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"
)

// The files under testdata/pool are conversations with one pool. Every answer
// tells what was done, then how the pool and its shares stand. A command may say
// at=T, in milliseconds: what follows happens then.
func TestConversations(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata/pool", func(t *testing.T, path string) {
		c := &conversation{}
		datadriven.RunTest(t, path, c.command)
	})
}

const zero = time.Second // the pool's time at a conversation's time 0

type conversation struct{ *shell }

func (c *conversation) command(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	if d.Cmd == "pool" {
		c.pool(t, d)
	}
	c.said = nil
	if at, ok := arg(d, "at"); ok {
		c.advance(zero + span(t, at))
	}
	switch d.Cmd {
	case "pool":
		c.turn()

	// share NAME [limit=N] [borrows] [intensive] [plain] [item=DURATION]: its queue's part of the pool.
	case "share":
		c.share(t, d)

	// arrive SHARE ITEM...: items come, in this order.
	case "arrive":
		c.arrive(c.find(t, d.CmdArgs[0].Key), c.list(d.CmdArgs[1:])...)

	// keyed SHARE KEY ITEM...: items of one key come.
	case "keyed":
		c.arriveKeyed(c.find(t, d.CmdArgs[0].Key), d.CmdArgs[1].Key, c.list(d.CmdArgs[2:])...)

	// many SHARE N: N items come, called 1, 2, 3...
	case "many":
		c.arrive(c.find(t, d.CmdArgs[0].Key), numbered(integer(t, d.CmdArgs[1].Key))...)

	// start ITEM...: its worker goes on until it runs this one.
	case "start":
		for _, name := range c.list(d.CmdArgs) {
			c.start(t, name)
		}

	// done ITEM... [busy=D] [ran=N]: its worker ends the lease, all of it executed.
	case "done":
		for _, w := range c.each(t, d) {
			c.done(w, optional(t, d, "busy"), count(t, d, "ran"))
		}

	// blocks ITEM..., wakes ITEM...: its worker, which runs it, says so.
	case "blocks":
		for _, name := range c.list(d.CmdArgs) {
			c.blocks(c.start(t, name))
		}
	case "wakes":
		for _, w := range c.each(t, d) {
			c.wakes(w)
		}

	// tick [running=N] [runnable=N] [procs=N]: without numbers there are no gauges.
	case "tick":
		c.tick(Gauges{count(t, d, "running"), count(t, d, "runnable"), count(t, d, "procs"), d.HasArg("procs")})

	// regain: an idle worker is on a CPU that others hold.
	case "regain":
		c.regain()

	// cull: the idle timer expires. create N, fail: the manager answers.
	case "cull":
		c.cull()
	case "create":
		c.create(integer(t, d.CmdArgs[0].Key))
		c.turn()
	case "fail":
		c.p.CreateFailed()
		c.turn()

	// cancel ITEM: before it starts.
	case "cancel":
		if !c.cancel(d.CmdArgs[0].Key) {
			c.say("too late")
		}

	// park ITEM, unpark ITEM: only the worker that runs it may take it next.
	case "park", "unpark":
		c.park(t, d.CmdArgs[0].Key, d.Cmd == "park")

	// limit SHARE N, lend SHARE N, recall SHARE N: slots.
	case "limit", "lend", "recall":
		c.slots(t, d)

	// close SHARE: a flush closes the epoch.
	case "close":
		q := c.find(t, d.CmdArgs[0].Key)
		if e, ok := q.Epoch.Close(); ok {
			c.say("%s is done with epoch %d", q.name, e)
		}

	// stats: what each share counted.
	case "stats":
		for _, q := range c.shares {
			s := q.Stats.Rest()
			c.say("%s: completed %d, cpu-intensive %d, cm_wakeup %d", q.name, q.Stats.Completed, s.CPUIntensive, s.CMWakeup)
		}
		return strings.Join(c.said, "\n") + "\n"

	default:
		if c.rescueCommand(t, d) {
			break
		}
		require.Fail(t, "unknown command", "%s: %s", d.Pos, d.Cmd)
	}
	require.NoError(t, c.broken, d.Pos)
	if d.HasArg("quiet") {
		c.said = nil
	}
	return strings.Join(append(c.said, c.state()), "\n")
}
