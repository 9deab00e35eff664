package cmwq

import (
	"time"

	"github.com/cmwq/cmwq/actors"
)

// Keyed is a key of a queue: items that are queued with it run one at a time, in
// the order in which they were queued; those of different keys run side by side,
// as many as MaxActive and the pools allow. Its methods are safe for concurrent
// use.
//
// Keys cannot collide, and their number is not limited: a key is known to the
// queue only while it has items. An item that waits for one of its own key holds
// no slot of MaxActive and no worker; the next item of a key stands last, so that
// keys take turns. An item that sleeps, declared or not, holds up its key and
// nobody else's; one that fails, panics, calls Goexit or is cancelled lets the next
// one start. Flush, Drain, Destroy and Stats of the queue count items with a key as
// all others.
//
// A Work may be queued with one key now and with another later, even while it
// runs; it is of the key that it was queued with last. What is queued on the
// Queue itself has no key, and waits for none.
//
// A key has one pool. When other pools come to serve the queue (SetAttrs, SetOnline,
// SetUnboundMask, SetDefaultScope), items of a key that were queued before finish on
// the old one, and those that are queued afterwards wait for them on the new one: of
// other keys for nobody. One at a time and in order holds all along.
//
// Follows io-wq's hashed work, which has 64 chains for all keys.
type Keyed struct {
	k       *actors.Keyed
	chained bool
}

// Keyed gives a handle for a key: any comparable value, as for a map; int 1 and
// int64 1 are two keys. A value that cannot be one is refused by the methods
// (ErrKey): nil, what holds a slice, map or function, what holds a NaN. It allocates
// about 150 bytes; who queues with one key again and again should keep it.
func (q *Queue) Keyed(key any) *Keyed { return &Keyed{q.q.Keyed(key), q.chained} }

// Queue queues w behind the items of its key. Errors are those of Queue.Queue, and
// ErrKey. About as much again as an item without a key, and a lease for each key.
func (k *Keyed) Queue(w *Work) error { return k.k.Queue(&w.item, w.Func, k.chained) }

// QueueAfter arms w: it is pending from now on, and is queued behind the items of
// its key after d.
func (k *Keyed) QueueAfter(d time.Duration, w *Work) error {
	return k.k.QueueAfter(d, &w.item, w.Func, k.chained)
}

// Modify makes w due d from now, with this key, whether it is armed, queued or
// idle, and says whether it was pending. A d of 0 moves it behind the items of its
// key.
func (k *Keyed) Modify(d time.Duration, w *Work) (wasPending bool, err error) {
	return k.k.Modify(d, &w.item, w.Func, k.chained)
}

// Go queues a function to run once.
func (k *Keyed) Go(f func(*Context) error) error { return k.k.Go(f, k.chained) }
