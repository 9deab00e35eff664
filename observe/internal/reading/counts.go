package reading

import "github.com/cmwq/cmwq"

// Which of the Counts is which.
const (
	Adds = iota
	Started
	CPUTime // ns
	CPUHogs
	CMWakeups
	Repatriations
	Maydays
	Rescues
	Failed
	WaitedOut
	RanOut
	Retries
	DeadLetters
	DeadLost
	Cancelled
	Dropped
	numCounts
)

// Counts are the counters of a queue, or of several together.
type Counts [numCounts]int64

func countsOf(s *cmwq.Stats) Counts {
	return Counts{
		Adds: s.Queued, Started: s.Total, CPUTime: int64(s.CPUTime), CPUHogs: s.CPUHog, CMWakeups: s.CMWakeup,
		Repatriations: s.Repatriated, Maydays: s.Mayday, Rescues: s.Rescued,
		Failed: s.Failed, WaitedOut: s.WaitedOut, RanOut: s.RanOut, Retries: s.Retried,
		DeadLetters: s.DeadLettered, DeadLost: s.DeadLost, Cancelled: s.Cancelled, Dropped: s.Dropped,
	}
}

// grow adds to the sum what a queue counted since it was seen, which it remembers. No
// number falls.
func (c *Counts) grow(seen *Counts, now Counts) {
	for i, n := range now {
		if n > seen[i] {
			c[i] += n - seen[i]
			seen[i] = n
		}
	}
}
