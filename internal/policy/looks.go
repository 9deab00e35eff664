package policy

import "time"

const (
	// LookShare is which part of one CPU goroutine profiles may take: 1 %.
	LookShare = 100

	// LookCrowd is how many goroutines there may be for one that nobody asked for:
	// with each it costs 5 µs and some hundred bytes more.
	LookCrowd = 50_000
)

// Looks says when a goroutine profile may be taken: it costs time that grows with the
// number of goroutines, and stops the world twice, for some ten microseconds.
type Looks struct{ next time.Duration }

// May says whether one may be taken now. asked is whether a user asked for it.
func (l *Looks) May(now time.Duration, goroutines int, asked bool) bool {
	return now >= l.next && (asked || goroutines <= LookCrowd)
}

// Took puts the next one off, by so many times what this one took that they take
// their share and no more.
func (l *Looks) Took(from, to time.Duration) { l.next = to + LookShare*max(0, to-from) }

// Next is when one may be taken again.
func (l *Looks) Next() time.Duration { return l.next }
