// Package supervisor says what becomes of work that fails: strategies, as values that
// are put together.
//
//	supervisor.Retry(5, supervisor.Exponential(100*time.Millisecond, time.Minute)).
//		Then(supervisor.DeadLetter(1000))
//
// A queue gets one with cmwq.Supervise. Work fails when its function returns an error,
// panics (*cmwq.PanicError), calls runtime.Goexit (cmwq.ErrGoexit) or is late
// (*cmwq.TimeoutError); all are failures alike. Without a strategy a failure is reported,
// and that is all.
//
// Retry runs the item again. All others are its end: Report, Ignore, Drop, DeadLetter,
// StopQueue, and Escalate, with which the supervisor strategy of the queue's parent
// decides about the queue. When chooses by the error, AtMost by how often work failed of
// late, and Then says what comes when a Retry or an AtMost has had its share.
//
// A strategy is immutable and may serve many queues, each of which remembers for
// itself: how often work failed, and its random numbers. It decides in a turn of the
// queue's actor, and must not block: nor may a function of yours that it calls.
package supervisor
