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
		Adds:    adds(s),
		Started: s.Total, CPUTime: int64(s.CPUTime), CPUHogs: s.CPUHog, CMWakeups: s.CMWakeup,
		Repatriations: s.Repatriated, Maydays: s.Mayday, Rescues: s.Rescued,
		Failed: s.Failed, WaitedOut: s.WaitedOut, RanOut: s.RanOut, Retries: s.Retried,
		DeadLetters: s.DeadLettered, DeadLost: s.DeadLost, Cancelled: s.Cancelled, Dropped: s.Dropped,
	}
}

// adds is how many items were accepted: each began, or went away before, or is still to
// begin. These are not of one instant, so that the sum may be a little off, and right
// again the next time.
func adds(s *cmwq.Stats) int64 {
	return s.Total + s.Lapsed + s.Cancelled + s.Dropped + depth(s) + int64(s.Delayed)
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
