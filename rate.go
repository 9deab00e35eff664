package cmwq

import "golang.org/x/time/rate"

// Rate limits how often items of the queue start: perSecond of them on average, and up
// to burst at once after a pause, as the token bucket of golang.org/x/time/rate has it.
// The whole queue has one bucket, whatever pools serve it.
//
// An item takes its token when it is given to a worker. Until then it waits with those
// beyond MaxActive: it holds no worker and no slot, and other queues' items pass. Items
// start in the order in which they would without a limit. Flush and Drain wait for what
// waits, and so does Stop: give it a context. Each item is a lease of its own, so that
// it is for hundreds or thousands of items in a second, not for millions. rate.Inf is no
// limit; with 0 nothing starts once the burst is used up, until SetRate.
func Rate(perSecond rate.Limit, burst int) QueueOption {
	return func(o *queueOptions) { o.PerSecond, o.Burst, o.Paced = perSecond, burst, true }
}

// SetRate changes Rate, of a queue that was made without it, too. What is in the bucket
// stays, up to the new burst. ErrOption for a rate that is negative or no number, or a
// burst below 1; ErrSystemQueue, ErrDestroyed, ErrStopped.
func (q *Queue) SetRate(perSecond rate.Limit, burst int) error {
	return q.q.SetRate(perSecond, burst)
}
