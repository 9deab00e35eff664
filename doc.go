// Package cmwq is the Linux kernel's concurrency-managed workqueue as an actor
// library: queue work items, never size a pool.
//
//	sys, err := cmwq.New()
//	defer sys.Stop(ctx)
//	q, err := sys.NewQueue("thumbnails")
//	q.Go(func(ctx *cmwq.Context) error { return makeThumbnail(ctx, name) })
//
// # Model
//
// A Queue is a policy and a flush domain: it owns no goroutines. Worker pools are
// shared by all queues; each pool keeps just enough workers runnable to use its
// CPUs: its width. When an item blocks, another worker starts; when it wakes it
// goes on without waiting, and the surplus is shed as items end.
//
// A managed queue (the default) is served by one pool for each group of CPUs that
// share a cache. The width is the number of those CPUs, and more for as long as workers
// are expected to block without saying so, or work waits while others have the CPUs.
// PerCPU queues have a pool of width 1 for each CPU, as the kernel's bound queues. Unbound queues start
// everything at once. Ordered queues run one item at a time, in order. BH queues run
// short items that may not sleep, in order, on one runner for each CPU. MaxActive, the
// kernel's max_active, limits how many items of a queue run at once.
//
// Pools, their managers, workers, queues and the delayer are protoactor actors.
// What the kernel does under a lock is done by one actor reading one mailbox.
//
// # Work
//
// A Work is an item that is used again and again: it is pending from the Queue that
// accepts it until its function is called, and cannot be queued twice meanwhile
// (ErrPending). Go queues a closure, and Submit a function with a result, for a Future.
// QueueAfter arms an item, as the kernel's delayed work, and Modify makes it due at
// another time. Cancel takes off what waits, CancelWait (cancel_work_sync) waits for what
// runs, too, and Disable keeps the item from being queued until Enable.
//
// Flush of an item waits for the last that was queued of it, Flush of a queue for all that
// was queued before. Drain refuses work from outside and waits until none is left; Destroy
// drains, and ends the queue; sys.Stop does so with all.
//
// # Concurrency properties
//
// An item runs once for each accepted Queue, at most one execution at a time as
// long as it is queued on one queue and its Func is not changed. PENDING is clear
// when the function is called, so an item may queue itself again. Everything
// written before a Queue, even one that returns ErrPending, is visible to the
// execution that follows.
//
// Items of one queue that go to one pool start in the order in which they were
// queued, up to one lease: a worker takes short items in runs of about 100 µs.
// Nothing else is promised about order, except by Ordered queues.
//
// Work that was accepted is always accounted for: it is done, failed, cancelled,
// or dropped when its queue or system ends by force: that is counted (Stats,
// StopError), and the item's Future says so.
//
// # In an actor program
//
// Start uses the program's own actor system. A queue may be a child of any actor
// (SpawnQueue, QueueProps): it ends with its parent, after it has drained for as long as
// Shutdown says; what it abandons then is reported. Children are cheap, since pools are
// shared: a thousand are about 4 MB, and no goroutine. Everything about a queue and its
// work can be asked for by message (package messages), with answers to the sender.
// Request asks an actor from inside an item as a declared sleep; PipeTo and Piped send
// results to an actor; Dispatcher runs whole actors as items of a queue. The package's
// examples are whole programs: embed, spawn as children, supervise.
//
// # Failing work
//
// An item fails by an error, a panic, runtime.Goexit, or by passing its deadline. Its
// worker goes on. Supervise gives the queue a strategy (package supervisor): run it again
// after a back-off, keep it as a dead letter, drop it, end the queue, or escalate: then
// the queue's actor fails, and its parent's supervisor decides. ctx.Attempt and
// ctx.LastError tell the item. Without a strategy a failure is reported, see WithOnFailure.
// An item costs nothing of this until it fails.
//
// # Bounded queues, rates, groups, and what comes after
//
// Bounded queues refuse what they have no room for, have callers wait, or drop the oldest
// with a report. Rate limits how often items start; who waits for that holds no worker. A
// Group runs many functions and ends with the first error. q.After queues work when other
// work has ended.
//
// # What travels with an item, and its time
//
// q.With(ctx) is a view of the queue: what is queued through it looks values up in ctx,
// so that traces, loggers and what else a request carries are with its work. The end of
// ctx does not travel, unless FollowCancel or FollowDeadline asks for it. MaxWait and
// MaxRun limit how long items of a queue may wait and run, WaitAtMost and RunAtMost those
// of a view; time armed, or until a retry is due, is no waiting. Who is late fails with a
// *TimeoutError.
//
// The context of an item that runs ends for one of these reasons:
//
//	what happens                       Err               context.Cause
//	CancelWait, Disable of the item    Canceled          ErrCancelled
//	a Stop whose context ended         Canceled          ErrStopped
//	its queue is abandoned             Canceled          ErrAbandoned
//	MaxRun, RunAtMost, FollowDeadline  DeadlineExceeded  *TimeoutError
//	FollowCancel                       Canceled          the submitter's
//	the Group of a member ends         Canceled          the group's first error
//	the function has returned          Canceled          context.Canceled
//
// Flush, Drain and Destroy end no item: a Destroy whose context ends leaves what runs
// alone. Cancel takes off what waits. ctx.Sleep, Await and the waits of this package
// return the cause.
//
// # Waiting inside an item
//
// An item may wait for other items, queues and futures, with its own context or one
// derived from it: the wait is a declared sleep, and one that would never end is a
// *DeadlockError at once: of the item for itself, for its own queue, for a later
// item of a queue that runs one at a time, or round a ring of several. A cancel ends
// the waits of the item that it cancels, so that those are no part of a ring. What
// cannot be seen: a wait without the item's context, Await and other channels, and
// locks; an item that takes a lock which the caller of CancelWait holds is a deadlock
// that only the caller's context ends.
//
// # How a pool learns that an item blocks
//
// Say so, with ctx.Sleep, ctx.Block or Await: it costs about 0.3 µs and works in
// the same instant, but for Block on a queue whose calls mostly do not block: there
// it takes up to 0.2 ms. An item that blocks without saying so is found out by the
// scheduler's gauges, while other work waits and the process has CPU to spare: on
// Linux within about 1 ms, elsewhere in a few. An item that holds a CPU for 10 ms
// leaves the count: it is a hog, and the next one starts beside it.
//
// Limits: CPUs are logical, and workers are not pinned to threads but with WithPinning. An undeclared
// block beside goroutines that keep every CPU busy is seen only by the age of
// what waits (5 ms). Time of hogs is wall time, stretched by the number of
// runnable goroutines.
//
// # Keys, fixed workers, attributes
//
// Items that are queued with q.Keyed(key) run one at a time and in order for each
// key, and keys run side by side. q.Fix gives a queue workers of its own, with bounded
// mailboxes. Which CPUs serve a queue, and in which groups, are attributes (CPUs,
// Affinity, MinActive) that SetAttrs changes while work flows; SetOnline takes logical
// CPUs down and up. Old items finish where they are, and order is kept.
//
// # Pinned workers
//
// With WithPinning, on Linux, a worker of a per-CPU queue has a thread of its own that is
// bound to its CPU, and those of other queues have one if the queue asks for what only
// threads have: Nice, CPUs, strict Affinity. A hog is one by its thread's CPU clock then,
// and a worker sleeps if its thread does. Reports and dumps have the thread (Thread):
// "starved by others: ran 1ms on CPU 0, waited 30ms for it". A worker that is woken and was
// last outside its pod is brought back: Repatriated counts that.
//
// The price, which is why it is not the default:
//
//   - Every item that somebody waits for costs two switches of threads: 15 µs where both
//     CPUs are awake, 45 to 140 µs as a rule, instead of 1 to 3; items that come in a flood 0.2
//     instead of 0.1 µs (BenchmarkPinned).
//   - A thread that others keep from its CPU keeps one of GOMAXPROCS places to itself:
//     raise that by the number of threads that may starve, or the program stands still
//     with them.
//   - Whatever stops the world, garbage collection above all, waits for such a thread:
//     tens of milliseconds beside a process of nice -20, up to a second beside one of real
//     time (examples/idpf measures it).
//   - An item that queues work does so on its own thread: starved in the middle of that, it
//     holds up the pool that it queues on.
//   - An item that sleeps holds a thread. There are 8000 at most, since Go ends programs that
//     have more than 10 000: then work waits as where workers cannot be made.
//   - A process that an item starts inherits CPU and nice. An item must not call
//     runtime.UnlockOSThread more often than LockOSThread.
//
// So pin what must run on its CPU, and leave all else to managed queues.
//
// # System queues, and periodic items
//
// Short work that needs no limit and no flush of its own goes to a system queue:
// sys.Default, HighPri, Long, Unbound, Managed, BH. q.Every queues an item by an
// Interval, a crontab line or a schedule of the caller's; instants at which it cannot
// start follow a catch-up policy that the caller chooses, and each is accounted for.
// sys.OnEachCPU and sys.RunOn call a function on CPUs and wait for it.
//
// # When workers cannot be made
//
// A pool asks again after a second, or when there is a reason to. MemReclaim gives a
// queue a rescuer: one worker that is there from the beginning, and runs the queue's
// items in any pool that is short of workers.
//
// # Diagnosis
//
// Dump writes what runs, for how long, what waits and who waits for it; Snapshot
// gives the same as values. A pool where work waits and nothing starts for 30 s is
// logged with what holds it up (WithWatchdog), and a function that was found to hog a
// CPU four times is logged by its name (WithHogReport). None of it costs anything
// while pools are idle.
//
// # Costs
//
// The README has measured numbers and the command that measures them. Queueing a
// reusable Work allocates nothing. A queue, child or not, keeps 1.7 kB where one
// pool serves it, 0.75 kB more for each further pool, and no goroutine; a small actor of
// protoactor's is 1 kB (BenchmarkChildren). The hundred-thousandth costs what the
// first does.
//
// # Differences from Linux
//
// Managed queues and their width; leases; unbound queues of items that are known to
// be short (50 µs) run on four workers a CPU, not on one an item; flush epochs in
// place of sixteen colours; MaxActive is exact for the whole queue unless MinActive is
// asked for; BH items run beside their pool's turn, not in it; an error, not a silent drop, for work that is queued on a draining
// queue from outside; flush and cancel take a context.
package cmwq
