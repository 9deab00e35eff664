package reading

import (
	"time"

	"github.com/cmwq/cmwq"
)

// Reading is what a system did until one moment.
type Reading struct {
	At     time.Time
	System System
	Queues []Queue // by name
	Pools  []Pool
}

// System is the system as a whole.
type System struct {
	Up         bool // not stopped
	Frozen     bool
	Version    string
	Uptime     time.Duration
	Took       time.Duration // to take the snapshot
	GOMAXPROCS int
	Errors     int64 // snapshots that failed
}

func systemOf(snap *cmwq.Snapshot, took time.Duration) System {
	return System{
		Up: true, Frozen: snap.Frozen, Version: snap.Version, Uptime: snap.Uptime, Took: took,
		GOMAXPROCS: snap.GOMAXPROCS,
	}
}

// Queue is a queue, or the sum of those that have one name.
type Queue struct {
	Name   string
	Kind   string    // managed, percpu, unbound, ordered, bh; mixed
	Since  time.Time // nothing was counted before
	Queues int       // summed
	Held   int       // of them, those that are frozen or paused, or that drain

	Depth, InFlight, Active, Inactive, Delayed, MaxActive int64

	Unfinished time.Duration // what items in flight have run, together
	Longest    time.Duration // and the one that has run longest

	Counts    Counts
	Wait, Run Histogram
}

// Pool is a worker pool.
type Pool struct {
	Name string // with an H if it is the one of high priority of its CPU
	cmwq.PoolSnapshot
}

// poolsOf gives the pools that have queues, or anything to do: there is one of each kind
// for each CPU.
func poolsOf(snap *cmwq.Snapshot) []Pool {
	pools := make([]Pool, 0, len(snap.Pools))
	for _, p := range snap.Pools {
		if p.Refs == 0 && !p.Busy() {
			continue
		}
		name := p.Name
		if p.HighPri && p.CPU >= 0 {
			name += "H"
		}
		if p.Waiting == 0 {
			p.Hung = 0
		}
		pools = append(pools, Pool{name, p})
	}
	return pools
}

// now adds what a queue is doing.
func (q *Queue) now(s *cmwq.QueueSnapshot) {
	if q.Queues++; q.Queues == 1 {
		q.Kind = s.Kind
	} else if q.Kind != s.Kind {
		q.Kind = "mixed"
	}
	for _, f := range s.Flags {
		if f == "frozen" || f == "paused" || f == "draining" {
			q.Held++
			break
		}
	}
	q.Depth += depth(&s.Stats)
	q.InFlight += s.Stats.InFlight
	q.Active += int64(s.Stats.Active)
	q.Inactive += int64(s.Stats.Inactive)
	q.Delayed += int64(s.Stats.Delayed)
	q.MaxActive += int64(s.Stats.MaxActive)
	for i := range s.Shares {
		for _, e := range s.Shares[i].InFlight {
			q.Unfinished += e.For
			q.Longest = max(q.Longest, e.For)
		}
	}
}

// depth is how many items wait to be started: armed ones do not.
func depth(s *cmwq.Stats) int64 {
	return max(0, int64(s.Active)+int64(s.Inactive)-s.InFlight)
}
