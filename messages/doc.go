// Package messages is what an actor says to a queue and hears of it, and what the
// engine's actors say to one another.
//
// To a queue's PID (cmwq.Queue.PID), with the answer that comes to the sender:
//
//	Queue, QueueOn, QueueAfter, Go   *Queued         accepted, or why not
//	Modify                           *Modified       it is due at another time
//	Cancel, CancelWait               *Cancelled      at once; when nothing of it runs
//	Disable, Enable                  *Disabled, *Enabled
//	FlushWork, Flush                 *Flushed        when it, or all before, has ended
//	Drain, Destroy                   *Drained, *Destroyed
//	SetMaxActive, SetAttrs           *MaxActiveSet, *AttrsSet
//	Pause, Resume                    *Paused, *Resumed
//	Inspect                          *Inspected      the numbers of the queue
//
// Send pointers, with ctx.Request if the answer is wanted, and leave Done, Reply and Epoch
// nil: they are for callers that are no actors. The answer has the Work, and the Err that
// the method of the same name returns. A Work is a *cmwq.Work.
//
// On the EventStream of the actor system: *Abandoned, when a queue that was told to stop
// has ended before its work was done; *DeadLettered, for each dead letter; *Dropped, for
// what a bounded queue has dropped. Subscribers are called by actors of the engine: they
// must not block, nor call what waits for the queue.
//
// Errors, the Context and what strategies are told are exported by package cmwq and
// supervisor, too. All else is the engine's: the Item, the Lease, and what pools, managers,
// workers and rescuers tell one another. Programs have no use for it, and it may change.
//
// Names are imperatives (Flush) or facts (Flushed). A field's comment says who writes it:
// I immutable once sent, P the pool that the item is at, W the worker that runs it, A
// anyone, atomically. The package imports nothing of this module.
package messages
