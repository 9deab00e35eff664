package policy

import (
	"fmt"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"
)

// pool KIND [cpus=N] [procs=N] [hog=D] [manual]: a new one, with an idle worker.
func (c *conversation) pool(t *testing.T, d *datadriven.TestData) {
	t.Helper()
	kinds := map[string]Kind{"managed": Managed, "percpu": PerCPU, "unbound": Unbound, "bh": BH, "fixed": Fixed}
	kind, ok := kinds[d.CmdArgs[0].Key]
	require.True(t, ok, d.Pos)
	cpus := max(1, count(t, d, "cpus"))
	c.shell = newShell(kind, cpus, max(cpus, count(t, d, "procs")))
	if hog, ok := arg(d, "hog"); ok {
		c.hog = span(t, hog)
	}
	c.turn()
	c.manual = d.HasArg("manual")
}

func (c *conversation) share(t *testing.T, d *datadriven.TestData) {
	t.Helper()
	limit := MaxActiveDefault
	if d.HasArg("limit") {
		limit = count(t, d, "limit")
	}
	s := NewShare(limit, d.HasArg("intensive"))
	s.item = optional(t, d, "item")
	if d.HasArg("plain") {
		s.Plain()
	}
	c.shares = append(c.shares, &testShare{Share: s, name: d.CmdArgs[0].Key, borrows: d.HasArg("borrows")})
}

func (c *conversation) park(t *testing.T, name string, park bool) {
	t.Helper()
	from, to, count := &c.shell.list, &c.parked, c.p.Park
	if !park {
		from, to, count = to, from, c.p.Unpark
	}
	i := indexOf(*from, name)
	require.GreaterOrEqual(t, i, 0, "%s is not there", name)
	it := (*from)[i]
	*from = append((*from)[:i:i], (*from)[i+1:]...)
	*to = append([]*testItem{it}, *to...)
	count(it.q.Share)
	c.turn()
}

func (c *conversation) slots(t *testing.T, d *datadriven.TestData) {
	t.Helper()
	q, n := c.find(t, d.CmdArgs[0].Key), integer(t, d.CmdArgs[1].Key)
	switch d.Cmd {
	case "limit":
		q.SetLimit(n)
	case "lend":
		q.Lend(Order{Lend: n, Heard: q.asks, Asked: q.recall, Seen: q.paid})
	case "recall":
		q.Recall(Order{Recall: n, Asked: q.recall + n, Seen: q.paid})
	}
	c.activate(q)
	c.turn()
}

func (c *conversation) list(args []datadriven.CmdArg) (names []string) {
	for _, a := range args {
		if len(a.Vals) == 0 {
			names = append(names, a.Key)
		}
	}
	return names
}

func (c *conversation) find(t *testing.T, name string) *testShare {
	t.Helper()
	for _, q := range c.shares {
		if q.name == name {
			return q
		}
	}
	require.Fail(t, "no share", name)
	return nil
}

// each gives the workers whose leases hold the items that a command names.
func (c *conversation) each(t *testing.T, d *datadriven.TestData) (workers []*testWorker) {
	t.Helper()
	for _, name := range c.list(d.CmdArgs) {
		workers = append(workers, c.holder(t, name))
	}
	return workers
}

// start has an item's worker go on until it runs that item.
func (c *conversation) start(t *testing.T, item string) *testWorker {
	t.Helper()
	w := c.holder(t, item)
	for w.taken <= indexOf(w.items, item) {
		c.take(w)
	}
	return w
}

func (c *conversation) holder(t *testing.T, item string) *testWorker {
	t.Helper()
	for _, w := range c.workers {
		if w.q != nil && indexOf(w.items, item) >= 0 {
			return w
		}
	}
	require.Fail(t, "nobody has been given it", item)
	return nil
}

func numbered(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprint(i+1))
	}
	return names
}
