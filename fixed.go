package cmwq

// Fix gives the queue n fixed workers: long-lived, each with a mailbox of its own in
// which depth items may wait. Queue and Go hand items to them in turn; what finds
// the mailbox whose turn it is full goes to the shared pools, as do QueueOn, items
// with a key, and delayed items. A worker takes all that waits for it at once, 256
// items at most.
//
// A fixed worker has nothing to do with concurrency management: an item that
// blocks or is long holds up what waits in the same mailbox, and nothing else;
// nobody helps. So it is for equal, short items that shall neither wait for other
// queues' items nor hold them up. It is not for speed: with unequal items the shared
// pools do better, and with nops they are no slower on two CPUs (BenchmarkFixed).
// Items of one producer that go to different workers start in any order; those in one
// mailbox start in order.
//
// Each fixed worker has one slot of MaxActive to itself (on a PerCPU queue, beside
// it); the shared pools keep what is left, one at least. Flush, Drain, Destroy,
// Cancel and Stats find the items of fixed workers, also those in a batch.
//
// Fix may be called again while work flows. Another n replaces the workers: the old
// ones end when they have run what they have. The same n changes the depth alone.
// n = 0 is Unfix. Errors: ErrFixed for n over 256, or a depth not within 1..65536;
// ErrOrdered, ErrBH and ErrSystemQueue on such queues; ErrDestroyed, ErrStopped.
//
// Follows the fixed workers that were proposed for io-wq, but for their look at the
// shared list.
func (q *Queue) Fix(n, depth int) error { return q.q.Fix(n, depth) }

// Unfix takes the fixed workers away; they end when they have run what they have.
func (q *Queue) Unfix() error { return q.q.Fix(0, 0) }
