// Package supervisor says what becomes of work that fails: strategies, as values that
// are put together.
//
//	supervisor.Retry(5, supervisor.Exponential(100*time.Millisecond, time.Minute)).
//		Then(supervisor.DeadLetter(1000))
//
// A queue gets one with cmwq.Supervise. Work fails when its function returns an error,
// panics (*cmwq.PanicError) or calls runtime.Goexit (cmwq.ErrGoexit); all are failures
// alike. Without a strategy a failure is reported, and that is all.
//
// A strategy is immutable and may serve many queues, each of which remembers for
// itself: how often work failed, and its random numbers. It decides in a turn of the
// queue's actor, and must not block; its functions of a user's should be quick.
package supervisor
