package observe

import (
	"cmp"
	"time"

	"github.com/cmwq/cmwq"
)

// window is for how long at least the page tells of what has failed: it compares with
// numbers that are one to two windows old.
const window = 30 * time.Second

// sample is a snapshot, and what it tells beside the ones before. It does not change
// but for the frames, which the sampler guards.
type sample struct {
	snap   *cmwq.Snapshot
	tracks []track       // of snap.Queues
	since  time.Duration // what the past of the tracks is ago; 0: nothing is known of it
	aged   time.Time     // when their recent became their past
	alerts []alert       // worst first
	more   int           // alerts that are not told
	levels []level       // of snap.Queues
	pools  poolsByName
	where  map[string]*cmwq.Where // of workers by name, as far as somebody has asked
	frames map[query][]byte
}

// track is what is known of a queue from sample to sample.
type track struct {
	now, past, recent counts
	rate              float64   // items that started in a second
	waiting, running  int       // items
	saw               level     // hogs or silent, as one of its items was seen last
	moved             time.Time // when something of it started last, or nothing waited; as far as was seen
}

type counts struct {
	total, failed, retried, dead, hogs int64
	cpu                                time.Duration // on items, less declared sleeps
}

func countsOf(q *cmwq.QueueSnapshot) counts {
	s := &q.Stats
	return counts{s.Total, s.Failed, s.Retried, s.DeadLettered, s.CPUHog, s.CPUTime}
}

func (c counts) less(d counts) counts {
	return counts{c.total - d.total, c.failed - d.failed, c.retried - d.retried, c.dead - d.dead, c.hogs - d.hogs, c.cpu - d.cpu}
}

// next makes a sample of a new snapshot. Queues come sorted by name.
func (s *sample) next(snap *cmwq.Snapshot) *sample {
	n := &sample{snap: snap, tracks: make([]track, len(snap.Queues)), aged: snap.At, frames: map[query][]byte{}}
	old, ages := s, false
	if s == nil {
		old = &sample{snap: &cmwq.Snapshot{At: snap.At}}
	} else if ages = snap.At.Sub(s.aged) >= window; !ages {
		n.aged = s.aged
	}
	d := snap.At.Sub(old.snap.At)
	n.since = old.since + d
	if ages {
		n.since = snap.At.Sub(s.aged)
	}
	i := 0
	for j := range snap.Queues {
		q, t := &snap.Queues[j], &n.tracks[j]
		t.now, t.moved = countsOf(q), snap.At
		t.waiting, t.running = waiting(q), inFlight(q)
		for i < len(old.tracks) && cmp.Less(old.snap.Queues[i].Name, q.Name) {
			i++
		}
		if i == len(old.tracks) || old.snap.Queues[i].Name != q.Name || old.tracks[i].now.total > t.now.total {
			t.past, t.recent = t.now, t.now // it is new
			continue
		}
		was := &old.tracks[i]
		i++ // the next may have the same name: one has ended, and runs something still
		t.past, t.recent, t.saw = was.past, was.recent, was.saw
		if ages {
			t.past, t.recent = was.recent, was.now
		}
		if d > 0 {
			t.rate = float64(t.now.total-was.now.total) / d.Seconds()
		}
		if t.now.total == was.now.total && t.waiting > 0 && was.waiting > 0 {
			t.moved = was.moved
		}
	}
	return n
}

// waiting is how many accepted items of a queue have not begun.
func waiting(q *cmwq.QueueSnapshot) int {
	n := 0
	for i := range q.Shares {
		s := &q.Shares[i]
		n += s.Inactive + max(0, s.Active-begun(s))
	}
	return n
}

// begun is how many items of a share a worker has begun.
func begun(s *cmwq.ShareSnapshot) int {
	n := 0
	for i := range s.InFlight {
		if s.InFlight[i].Func != "" {
			n++
		}
	}
	return n
}

// inFlight is how many have, and have not ended.
func inFlight(q *cmwq.QueueSnapshot) (n int) {
	for i := range q.Shares {
		n += begun(&q.Shares[i])
	}
	return n
}
