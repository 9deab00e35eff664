package actors

import (
	"hash/maphash"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq/messages"
)

// Keyed is a key of a queue, for those who queue: items of one key run one at a
// time and in order. It is light, and the queue does not know of it. Its methods
// are safe for concurrent use.
type Keyed struct {
	queue *Queue               // I:
	key   any                  // I:
	hash  uint64               // I: chooses the share
	err   error                // I: why the key is none
	armed messages.Home        // I: of armed items
	to    atomic.Pointer[lane] // A: the way to the key's share
}

// lane is what an item with a key is pushed with: its pool's turn finds the chain.
type lane struct {
	messages.Home
	share *share // I:
	key   any    // I:
	hash  uint64 // I: of the key
}

// keySeed makes keys fall to shares in another way in each process.
var keySeed = maphash.MakeSeed()

// Keyed gives the handle of a key.
func (q *Queue) Keyed(key any) *Keyed {
	k := &Keyed{queue: q, key: key}
	k.armed.Owner = k
	if !mayBeKey(key) {
		k.err = messages.ErrKey
		return k
	}
	k.hash = maphash.Comparable(keySeed, key)
	return k
}

// mayBeKey says whether a key is equal to itself, and can be found in a map: a
// slice is not, nor is a NaN.
func mayBeKey(key any) bool {
	switch key.(type) {
	case string, int, int64, uint64, uint32:
		return true
	case nil:
		return false
	}
	same := key
	return reflect.ValueOf(key).Comparable() && key == same
}

// keyShare chooses the share of a key: one key has one pool.
func (t *table) keyShare(hash uint64) *share { return t.shares[hash%uint64(len(t.shares))] }

// lane gives the way to the share that the key belongs to now.
func (k *Keyed) lane(t *table) *lane {
	s := t.keyShare(k.hash)
	l := k.to.Load()
	if l == nil || l.share != s {
		l = newLane(s, k.key, k.hash)
		k.to.Store(l)
	}
	return l
}

// Queue queues an item behind those of its key.
func (k *Keyed) Queue(it *messages.Item, f func(*messages.Context) error, chained bool) error {
	if k.err != nil {
		return k.err
	}
	if k.queue.bound != nil {
		return k.QueueContext(atOnce, it, f, chained)
	}
	return k.queueNow(it, f, chained)
}

// queueNow is that, whatever waits.
func (k *Keyed) queueNow(it *messages.Item, f func(*messages.Context) error, chained bool) error {
	if _, err := k.queue.claimFor(messages.NoPlace, it, f, chained); err != nil {
		return err
	}
	t := k.queue.table.Load()
	l := k.lane(t)
	k.queue.stamp(l.share, messages.AnyCPU, it)
	if err := l.place(it); err != nil {
		k.queue.sys.obs.cancelled(it, err)
		idleItem(it)
		return err
	}
	k.queue.settled(t)
	return nil
}

// Go queues a closure.
func (k *Keyed) Go(f func(*messages.Context) error, chained bool) error {
	switch {
	case k.err != nil:
		return k.err
	case f == nil:
		return messages.ErrNoFunc
	}
	if k.queue.bound != nil {
		return k.GoContext(atOnce, f, chained)
	}
	return k.goNow(f, chained)
}

// goNow is that, whatever waits.
func (k *Keyed) goNow(f func(*messages.Context) error, chained bool) error {
	if fl := k.queue.shut(chained); fl != 0 {
		return why(fl)
	}
	t := k.queue.table.Load()
	l := k.lane(t)
	it := l.share.pool.free.get()
	it.Func = f
	k.queue.stamp(l.share, messages.AnyCPU, it)
	if err := l.place(it); err != nil {
		k.queue.sys.obs.cancelled(it, err)
		return err
	}
	k.queue.settled(t)
	return nil
}

// QueueAfter arms an item; it gets its place among those of its key when it is
// due.
func (k *Keyed) QueueAfter(d time.Duration, it *messages.Item, f func(*messages.Context) error, chained bool) error {
	if d <= 0 || k.err != nil {
		return k.Queue(it, f, chained)
	}
	return k.queue.armAfter(d, messages.AnyCPU, it, f, &k.armed)
}

// Modify makes an item due after d, with this key.
func (k *Keyed) Modify(d time.Duration, it *messages.Item, f func(*messages.Context) error, chained bool) (wasPending bool, err error) {
	if k.err != nil {
		return false, k.err
	}
	return k.queue.modify(d, messages.AnyCPU, it, f, chained, &k.armed)
}

// place queues an item that the caller owns, or that the delayer holds, along a lane; it
// finds the next if the lane's pool has ended. It goes to the pool of its key wherever it
// may run now: that pool waits for it. It never waits itself.
func (l *lane) place(it *messages.Item) error {
	_, err := l.put(it, nil)
	return err
}

// put is place, for an item that others may wait for, and says which share has it.
func (l *lane) put(it *messages.Item, after []waiter) (*share, error) {
	q := l.share.queue
	for {
		if it.Kind == messages.KindWork {
			for old := it.State(); !it.Swap(old, old.Queued(l.share.pool.id)); old = it.State() {
			}
		}
		if l.share.pushWith(it, &l.Home, after) {
			return l.share, nil
		}
		to := q.table.Load().keyShare(l.hash)
		if to == l.share {
			if fl := q.flags.Load(); fl != 0 {
				return nil, why(fl)
			}
			return nil, messages.ErrStopped
		}
		l = newLane(to, l.key, l.hash)
	}
}

func newLane(s *share, key any, hash uint64) *lane {
	l := &lane{share: s, key: key, hash: hash}
	l.Owner = l
	return l
}

// Of is the key's queue.
func (k *Keyed) Of() *Queue { return k.queue }
