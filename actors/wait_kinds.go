package actors

import (
	"math"
	"sync/atomic"

	"github.com/cmwq/cmwq/messages"
)

// itemWait is a wait that a pool keeps: for the instance of an item that was
// pending or running when a flush or cancel asked.
type itemWait struct {
	pool  *pool
	item  *messages.Item
	ended chan error
}

func (t *itemWait) over() bool { return len(t.ended) > 0 }

func (t *itemWait) expand(k *walk) int {
	return k.held(t.pool.holdsFor(&holdsAsk{item: t.item, ended: t.ended}))
}

// futureLooks is how often an item that is between two steps is looked for.
const futureLooks = 100

// futureWait is a wait for an item that is queued once.
type futureWait struct {
	item *messages.Item
	done <-chan struct{}
}

func (t *futureWait) over() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

func (t *futureWait) expand(k *walk) int {
	var again backoff
	for again < futureLooks {
		s := t.item.State()
		at := s.Place()
		if s&messages.Pending == 0 {
			if s&messages.Running == 0 {
				break
			}
			at = s.Runner()
		}
		if d, ok := places.get(at).(*delayer); ok && s&messages.Delayed != 0 {
			if dep := d.dependentOf(t.item); dep != nil {
				return (&afterWait{dep: dep}).expand(k)
			}
			break // it is due some time
		}
		if p, ok := places.get(at).(*pool); ok {
			if h := p.holdsFor(&holdsAsk{item: t.item}); !h.gone {
				return k.held(h)
			}
		}
		again.pause()
	}
	return k.node(0, messages.Party{Item: true}) // it has ended, or is on its way
}

// queueWait is a wait for everything of a queue up to a flush epoch.
type queueWait struct {
	queue *Queue
	epoch atomic.Uint32 // of a flush; another when it begins anew
	all   bool          // whatever its epoch: a drain
	done  chan error
}

func (t *queueWait) over() bool { return len(t.done) > 0 }

func (t *queueWait) expand(k *walk) int {
	n := k.node(0, t.queue.party())
	for _, s := range t.queue.table.Load().all() {
		k.fill(n, s.pool.holdsFor(&holdsAsk{share: s, epoch: t.epoch.Load(), all: t.all}))
	}
	return n
}

func (q *Queue) party() messages.Party { return messages.Party{Queue: q.name} }

// upTo says whether an epoch is not after another; they wrap around.
func upTo(epoch, last uint32) bool { return last-epoch <= math.MaxInt32 }
