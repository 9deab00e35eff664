package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"
)

// rescue offers the pool the share's rescuer.
func (sh *shell) rescue(q *testShare, others bool) {
	if sh.busyRescuer(q) {
		sh.say("%s's rescuer is busy", q.name)
		return
	}
	if !sh.p.NeedRescue(q.Share, others) {
		sh.say("%s's rescuer is not needed", q.name)
		return
	}
	w := sh.rescuer(q)
	active, riders := sh.p.RescueSize(q.Share)
	var rest []*testItem
	w.items, w.chain = nil, nil
	for i, it := range sh.list {
		full := len(w.items) == active || w.chain != nil || // one with a key is alone
			len(w.items) > 0 && (it.epoch != w.epoch || it.chain != nil)
		if it.q == q && full {
			rest = append(rest, sh.list[i:]...)
			break
		}
		if it.q == q {
			w.items, w.epoch, w.chain = append(w.items, it), it.epoch, it.chain
		} else {
			rest = append(rest, it)
		}
	}
	w.active = len(w.items)
	if w.active < active || w.chain != nil {
		riders = 0
	}
	riders = prefix(q.inactive, riders, func(it *testItem) bool { return it.chain == nil && it.epoch == w.epoch })
	w.items = append(w.items, q.inactive[:riders]...)
	sh.list, q.inactive = rest, slices.Clone(q.inactive[riders:])
	w.q, w.taken, w.start = q, 0, 0
	w.seq++
	for _, it := range w.items {
		it.leased = true
	}
	sh.p.Rescue(w.Worker, q.Share, w.active, riders)
	s := fmt.Sprintf("%s's rescuer, w%d, gets%s", q.name, w.ID, names(w.items[:w.active]))
	if riders > 0 {
		s += ", and behind them" + names(w.items[w.active:])
	}
	sh.say("%s", s)
	sh.verify(false)
	sh.turn()
}

// rescuer finds or makes the rescuer of a share.
func (sh *shell) rescuer(q *testShare) *testWorker {
	for _, w := range sh.workers {
		if w.saves == q {
			return w
		}
	}
	w := &testWorker{Worker: &Worker{ID: len(sh.workers) + 1}, saves: q}
	sh.workers = append(sh.workers, w)
	return w
}

func (sh *shell) busyRescuer(q *testShare) bool { return sh.rescuer(q).q != nil }

// relieve takes back what rescuers have not started, if the pool has recovered.
func (sh *shell) relieve() {
	if !sh.p.Recovered() {
		return
	}
	for _, w := range sh.workers {
		if w.saves != nil && w.q != nil {
			sh.takeBack(w)
		}
	}
}

// rescueCommand handles the commands of a conversation about rescue.
func (c *conversation) rescueCommand(t *testing.T, d *datadriven.TestData) bool {
	t.Helper()
	switch d.Cmd {
	// rescue SHARE [others]: its rescuer comes; others say that more wait for it.
	case "rescue":
		c.rescue(c.find(t, d.CmdArgs[0].Key), d.HasArg("others"))

	// need SHARE: would a rescuer be let in?
	case "need":
		q := c.find(t, d.CmdArgs[0].Key)
		c.say("worker to be created: %v; rescuer: %v, beside others %v",
			c.p.NeedToCreateWorker(), c.p.NeedRescue(q.Share, false), c.p.NeedRescue(q.Share, true))

	// rescued: what each share counted.
	case "rescued":
		var said []string
		for _, q := range c.shares {
			said = append(said, fmt.Sprintf("%s: rescued %d", q.name, q.Stats.Rest().Rescued))
		}
		c.say("%s; rescuers in the pool: %d", strings.Join(said, ", "), c.p.Rescuers())
	default:
		return false
	}
	return true
}

// famine begins or ends: while it lasts, workers do not come by themselves.
func (r *randomShell) famine(*rapid.T) {
	r.manual = !r.manual
	r.retry(nil)
}

// retry ends a request that failed.
func (r *randomShell) retry(*rapid.T) {
	r.p.CreateFailed()
	r.turn()
}

func (r *randomShell) rescues(t *rapid.T) {
	r.rescue(r.share(t), rapid.Bool().Draw(t, "others"))
}
