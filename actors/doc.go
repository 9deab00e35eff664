// Package actors holds the engine: the actors of a cmwq system, their mailbox
// and dispatcher. They are thin shells around package policy: they keep the
// lists, carry the messages, and do what policy decides.
//
// Every piece of state has one writer. A field's comment says which: I immutable
// after construction, P the pool's turn, Q the queue's actor, W the worker, A
// anyone, atomically.
//
// A pool's and a delayer's turn never blocks and runs no code of a user. It may
// run on the goroutine of whoever posted the message (see mailbox).
//
// # Where things are
//
// Actors, and what is theirs alone:
//
//   - system*.go, options.go: the system's actor makes and ends queues and pools;
//     attrs.go, hotplug.go, procs.go, freeze.go: what changes which pools there are, and when they work;
//     escalate.go: the supervisor of its children
//   - pool*.go: a pool. pool_turn.go reads its mailbox, pool_items.go lists what comes,
//     pool_slots.go activates it, pool_lease.go leases it (pool_train.go, train.go: items of several
//     shares together), pool_settle.go ends the turn;
//     report.go: what it has to say in the log
//   - worker*.go: a worker. worker_limit.go and worker_extras.go: time limits and what travels
//     with an item; worker_failed.go: an execution that failed; overrun.go, yield.go
//   - thread.go: a thread for one worker alone; pin.go: which pools' workers have one, and where;
//     pool_threads.go: what their clocks say
//   - manager*.go: creates workers, or says why not; pressure.go: memory is short
//   - rescuer.go, ticker*.go, watchdog.go
//   - delayer*.go, heap.go: armed items, retries and series
//   - queue.go, queue_*.go: producers' side of a queue (queue.go, queue_claim.go, queue_delay.go,
//     queue_limit.go), its actor (queue_actor.go), its shares (queue_shares.go), what
//     they lend each other (queue_ledger.go), its fixed workers (queue_fixed.go, fixed.go),
//     its pause (queue_pause.go), how it ends (queue_drain.go, queue_end.go, queue_grace.go),
//     what most have not (queue_rare.go), as a child of a user's actor (queue_child.go), and by message (queue_told*.go, clerk.go
//     for what takes a turn of another actor)
//
// Between a queue and its pools:
//
//   - share*.go: a queue's part of a pool; table.go: which shares it has now; near.go, choice.go:
//     which one gets an item; passage.go: an item on its way from one to another
//   - keyed*.go: keys; pace.go: a rate; min_active.go: slots by node
//
// What a user asks for:
//
//   - bound*.go: room in a bounded queue
//   - after*.go: work behind other work; carry.go: what a view gives an item; lapse.go: an item
//     whose time is up before its turn
//   - series.go: periodic work
//   - supervision.go, deadletters*.go: what a strategy said of work that failed (worker_failed.go
//     asks, queue_supervise.go decides, delayer_retry.go waits)
//   - work.go, ask.go: cancel, disable, flush and modify one item; abort.go: from any turn;
//     overlap.go: of an item that runs twice
//   - wait*.go: waits inside an item, and the search for deadlocks; flush_dependency.go: flushes
//     that reclaim must not wait for
//   - delayer_lazy.go: what leaves the heap alone; ask_pooled.go: asks that are used again
//   - requester.go: requests to actors; recipient.go: who gets an answer
//   - dump*.go, warn.go: for people; dump_list.go: what there is, dump_queues.go: numbers by queue,
//     dump_ending.go: of queues that have ended
//   - observe*.go: what observers are told; meter*.go: how long items wait and run
//   - lookout*.go: where items are; label.go: their goroutines' labels, by which they are found
//
// What all stand on:
//
//   - mailbox*.go: of a pool and a delayer; workerbox.go, queuebox.go, systemlist.go: of the others
//   - dispatcher*.go, places.go (who has an item), list.go, signal.go, freelist.go, freelist_spare.go, backoff.go
//   - fault.go: failures that tests ask for
package actors
