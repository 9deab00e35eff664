package messages

import "time"

// Stats are a queue's numbers: the columns of the kernel's wq_monitor, with exactly
// its meanings, and what it has not. The first group counts from the queue's making,
// the second is of now. In JSON durations are nanoseconds.
type Stats struct {
	Total        int64         `json:"total"`         // items whose execution started
	Queued       int64         `json:"queued"`        // items that came to a pool; to two, if attributes changed meanwhile
	CPUTime      time.Duration `json:"cpu_time_ns"`   // on items, less declared sleeps
	CPUHog       int64         `json:"cpu_hog"`       // items declared CPU hogs
	CMWakeup     int64         `json:"cm_wakeup"`     // wake-ups because an item of this queue blocked
	Repatriated  int64         `json:"repatriated"`   // workers that were brought back to their pod
	Mayday       int64         `json:"mayday"`        // times that a share called the rescuer
	Rescued      int64         `json:"rescued"`       // items that the rescuer ran
	Failed       int64         `json:"failed"`        // with an error, a panic or Goexit, for good
	Lapsed       int64         `json:"lapsed"`        // of those, before they had their turn: they are not in Total
	WaitedOut    int64         `json:"waited_out"`    // of those, because they waited for too long: see MaxWait
	RanOut       int64         `json:"ran_out"`       // and because they ran for too long: see MaxRun
	Retried      int64         `json:"retried"`       // failures after which the item was to run again: see Supervise
	DeadLettered int64         `json:"dead_lettered"` // items that failed for good, and were kept as dead letters
	DeadLost     int64         `json:"dead_lost"`     // dead letters that made room for newer ones
	Cancelled    int64         `json:"cancelled"`     // items taken back before they began
	Dropped      int64         `json:"dropped"`       // accepted, and not run because the queue or system ended

	InFlight  int64 `json:"in_flight"`  // executing now; queued ones are not
	Active    int   `json:"active"`     // holding a slot of MaxActive
	Inactive  int   `json:"inactive"`   // waiting for one
	Delayed   int   `json:"delayed"`    // armed: waiting for their time
	MaxActive int   `json:"max_active"` // of all the queue's pools together; 0 on a BH queue: none
}

// Stats gives the sums over a queue's shares as its numbers.
func (s *ShareStats) Stats() Stats {
	return Stats{
		Total: s.Started, Queued: s.Arrived, CPUTime: s.CPUTime, CPUHog: s.CPUIntensive, CMWakeup: s.CMWakeup,
		Repatriated: s.Repatriated, Mayday: s.Mayday, Rescued: s.Rescued,
		Failed: s.Failed, Lapsed: s.Lapsed, WaitedOut: s.WaitedOut, RanOut: s.RanOut,
		Retried: s.Retried, DeadLettered: s.DeadLettered, DeadLost: s.DeadLost,
		Cancelled: s.Cancelled, Dropped: s.Dropped,
		InFlight: s.Started - s.Completed, Active: s.Active, Inactive: s.Inactive,
		Delayed: s.Delayed, MaxActive: s.MaxActive,
	}
}

// Since gives the numbers with what was counted before taken off; those of now stay.
func (s Stats) Since(before Stats) Stats {
	s.Total -= before.Total
	s.Queued -= before.Queued
	s.CPUTime -= before.CPUTime
	s.CPUHog -= before.CPUHog
	s.CMWakeup -= before.CMWakeup
	s.Repatriated -= before.Repatriated
	s.Mayday -= before.Mayday
	s.Rescued -= before.Rescued
	s.Failed -= before.Failed
	s.Lapsed -= before.Lapsed
	s.WaitedOut -= before.WaitedOut
	s.RanOut -= before.RanOut
	s.Retried -= before.Retried
	s.DeadLettered -= before.DeadLettered
	s.DeadLost -= before.DeadLost
	s.Cancelled -= before.Cancelled
	s.Dropped -= before.Dropped
	return s
}

// Distribution says how long something took: from the queueing of an item to its
// start, or from its start to its end. Where items come in leases their times are
// taken once a lease. Quantiles are within 6 % of the value.
type Distribution struct {
	N       int64         `json:"n"`      // how many were recorded
	Sum     time.Duration `json:"sum_ns"` // of all together
	Mean    time.Duration `json:"mean_ns"`
	P50     time.Duration `json:"p50_ns"`
	P90     time.Duration `json:"p90_ns"`
	P99     time.Duration `json:"p99_ns"`
	P999    time.Duration `json:"p999_ns"`
	Max     time.Duration `json:"max_ns"`
	Buckets []Bucket      `json:"-"` // ascending, those that are not empty
}

// Bucket is how many were recorded between two bounds.
type Bucket struct {
	From, To time.Duration // To is not in it
	N        int64
}
