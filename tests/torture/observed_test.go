package torture

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/cmwq/cmwq"
)

// grammar is an observer that knows which events may follow which. Of one item there may
// be an instance that waits while another runs, and two that wait for as long as the start
// of the first was not told.
type grammar struct {
	t      *testing.T
	shards [64]struct {
		sync.Mutex
		items map[cmwq.ItemID]*told
	}
	mu    sync.Mutex
	tally map[string]*[16]int64 // by queue: events of each kind
}

// told is what was told of an item.
type told struct {
	waits []bool // instances, oldest first: whether each is active
	doubt bool   // which of two was active, of which one was taken off, is not known
	runs  int
	fails bool // it has ended badly, or was taken off
}

func newGrammar(t *testing.T) *grammar {
	g := &grammar{t: t, tally: map[string]*[16]int64{}}
	for i := range g.shards {
		g.shards[i].items = map[cmwq.ItemID]*told{}
	}
	return g
}

// Observe complains of an event that may not come now.
func (g *grammar) Observe(e cmwq.Event) {
	g.count(&e)
	if fault := faulty(&e); fault != "" {
		g.t.Errorf("%s: %+v", fault, e)
	}
	if e.Item == 0 {
		return
	}
	s := &g.shards[e.Item>>6%64]
	s.Lock()
	defer s.Unlock()
	it := s.items[e.Item]
	if it == nil {
		it = &told{}
		s.items[e.Item] = it
	}
	if fault := it.next(&e); fault != "" {
		g.t.Errorf("%v of item %v of queue %s: %s: %+v", e.Kind, e.Item, e.Queue, fault, *it)
	}
	if len(it.waits) == 0 && it.runs == 0 && !it.fails {
		delete(s.items, e.Item)
	}
}

// faulty says which of the event's fields is not as it should be.
func faulty(e *cmwq.Event) string {
	item := cmwq.KindsOf(cmwq.EventQueue, cmwq.EventActivate, cmwq.EventStart, cmwq.EventEnd, cmwq.EventFail,
		cmwq.EventCancel, cmwq.EventSleep, cmwq.EventWake).Has(e.Kind)
	placeless := e.Kind == cmwq.EventCancel || e.Kind == cmwq.EventFail && e.Worker == "" || e.Kind == cmwq.EventCreate && e.Queue != ""
	works := cmwq.KindsOf(cmwq.EventStart, cmwq.EventEnd, cmwq.EventSleep, cmwq.EventWake, cmwq.EventKick,
		cmwq.EventCull, cmwq.EventRescue).Has(e.Kind) || e.Kind == cmwq.EventCreate && e.Err == nil
	staff := e.Kind == cmwq.EventCreate || e.Kind == cmwq.EventCull
	switch {
	case e.At.IsZero():
		return "no time"
	case item != (e.Item != 0) || item != (e.Func != 0):
		return "an item where there is none, or none"
	case item && e.N != 1 || (e.Kind == cmwq.EventKick || e.Kind == cmwq.EventRescue) && e.N < 1:
		return "no number"
	case !staff && e.Queue == "":
		return "no queue"
	case !placeless && e.Pool == "":
		return "no pool"
	case works && e.Worker == "":
		return "no worker"
	case e.Kind <= cmwq.EventFail && e.Attempt < 1:
		return "no attempt"
	case e.Wait < 0 || e.Run < 0:
		return "before its time"
	case e.Kind == cmwq.EventFail && e.Err == nil:
		return "no failure"
	case e.Err != nil && e.Kind != cmwq.EventEnd && e.Kind != cmwq.EventFail && e.Kind != cmwq.EventCancel && e.Kind != cmwq.EventCreate:
		return "an error"
	}
	return ""
}

// next says what is wrong with the event.
func (it *told) next(e *cmwq.Event) string {
	switch e.Kind {
	case cmwq.EventQueue:
		if it.waits = append(it.waits, false); len(it.waits) > 2 {
			return "it was pending"
		}
	case cmwq.EventActivate:
		for i := range it.waits {
			if !it.waits[i] {
				it.waits[i] = true
				return ""
			}
		}
		if it.doubt {
			it.doubt = false
			return ""
		}
		return "it was active, or not queued"
	case cmwq.EventStart:
		if len(it.waits) == 0 || !it.waits[0] {
			return "it was not active"
		}
		it.waits, it.fails, it.doubt = it.waits[1:], false, false
		it.runs++
	case cmwq.EventEnd:
		if it.runs--; it.runs < 0 {
			it.runs = 0
			return "it has not started"
		}
		it.fails = e.Err != nil
	case cmwq.EventFail:
		if !it.fails {
			return "it has not ended badly"
		}
		it.fails = false
	case cmwq.EventCancel:
		it.fails = true
		if e.Pool == "" { // it was armed
			return ""
		}
		if len(it.waits) == 0 {
			return "it was not queued"
		}
		last := len(it.waits) - 1
		// What rides in a lease begins, and is queued anew: its worker tells that it is
		// active when the pool has told so of the new one.
		it.doubt = last == 1 && it.waits[0] && !it.waits[1]
		it.waits = it.waits[:last]
	default:
	}
	return ""
}

// count counts it for its queue.
func (g *grammar) count(e *cmwq.Event) {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := g.tally[e.Queue]
	if n == nil {
		n = new([16]int64)
		g.tally[e.Queue] = n
	}
	n[e.Kind]++
	switch {
	case e.Kind == cmwq.EventFail && e.Worker == "":
		n[lapsed]++
	case e.Kind == cmwq.EventCancel && e.Pool == "":
		n[armed]++
	}
	if e.Kind == cmwq.EventCancel && e.Err == nil {
		n[modified]++
	}
}

// What is counted beside the kinds: what failed since its time was up before its turn,
// what was cancelled before it was queued, and by Modify.
const (
	lapsed = iota + 13
	armed
	modified
)

// balance compares what was told of a queue that has ended with what it counted.
func (g *grammar) balance(name string, st cmwq.Stats) {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := g.tally[name]
	if n == nil {
		n = new([16]int64)
	}
	assert.Equal(g.t, st.Total, n[cmwq.EventStart], "starts told of %s", name)
	assert.Equal(g.t, st.Total, n[cmwq.EventEnd], "ends told of %s", name)
	assert.Equal(g.t, st.Failed+st.Retried, n[cmwq.EventFail], "failures told of %s: %+v", name, st)
	assert.Equal(g.t, st.Cancelled+st.Dropped+n[lapsed], n[cmwq.EventCancel]-n[modified], "cancels told of %s: %+v", name, st)
	assert.Equal(g.t, st.Mayday, n[cmwq.EventMayday], "maydays told of %s", name)
}

// audit is the law of all: what was told to be queued was told to end, or to be cancelled.
func (g *grammar) audit() {
	for i := range g.shards {
		for id, it := range g.shards[i].items {
			if len(it.waits) > 0 || it.runs > 0 {
				g.t.Errorf("item %v: nothing told its end: %+v", id, *it)
			}
		}
	}
	for name, n := range g.tally {
		assert.Equal(g.t, n[cmwq.EventQueue], n[cmwq.EventEnd]+n[cmwq.EventCancel]-n[armed], "what became of %s", name)
	}
}
