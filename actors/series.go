package actors

import (
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// recheck is how long a series trusts that wall time goes on as the runtime's timers
// do: a clock that was set, or a machine that slept, is noticed after so much.
const recheck = 10 * time.Minute

// WallClock is the time that calendars go by.
func WallClock() time.Duration { return time.Duration(time.Now().UnixNano()) }

// SeriesOptions are what a series is made with.
type SeriesOptions struct {
	Rule    policy.Rule
	First   time.Duration        // first instant, in the time of Wall or, if that is nil, since the system's start
	Wall    func() time.Duration // wall time since 1970, which may be set
	CatchUp policy.CatchUp
	Jitter  time.Duration
	CPU     int // AnyCPU for any
}

// Series queues an item again and again. It is one entry in the delayer's heap, which
// is armed anew when it is due; what it decides, it decides in the delayer's turn.
type Series struct {
	q    *Queue                        // I:
	work *messages.Item                // I: what is queued
	f    func(*messages.Context) error // I: its function
	run  func(*messages.Context) error // I: that, and a word to the delayer if it wants one
	cpu  int                           // I:
	wall func() time.Duration          // I: nil: the rule's time is the system's

	timer messages.Item    // PENDING at the delayer for as long as the series goes on
	ext   messages.Ext     // I: of the timer
	ended messages.Control // A: a run of it has ended
	mark  messages.Tries   // I: of its runs: they are not retried

	pol    policy.Series // delayer:
	runs   atomic.Int64  // A: what the policy counts, for those who ask
	missed atomic.Int64
	owed   atomic.Int64
	next   atomic.Int64 // A: when it is due, in the rule's time

	over chan struct{} // closed when it has ended
	once atomic.Bool   // A: it has
	why  error         // I once over is closed
}

// Every begins a series.
func (q *Queue) Every(o SeriesOptions, it *messages.Item, f func(*messages.Context) error) (*Series, error) {
	if f == nil {
		return nil, messages.ErrNoFunc
	}
	if _, err := q.at(o.CPU); err != nil {
		return nil, err
	}
	if fl := q.flags.Load(); fl != 0 {
		return nil, why(fl)
	}
	s := &Series{q: q, work: it, f: f, run: f, cpu: o.CPU, wall: o.Wall, over: make(chan struct{})}
	if o.CatchUp == policy.All {
		s.run = s.runAndTell
	}
	s.pol = *policy.NewSeries(o.Rule, o.CatchUp, o.Jitter, o.First, rand.Uint64())
	s.publish()
	s.mark.Series = true
	s.ext.Msg = s
	s.timer.Extend(&s.ext)
	s.ended.Init(s)
	_, _ = claim(&s.timer, q.sys.delayer.id, messages.Delayed) // nobody else has it
	if err := q.arm(s.when(), messages.AnyCPU, &s.timer, &q.home); err != nil {
		return nil, err
	}
	return s, nil
}

// clock is the present time of the rule.
func (s *Series) clock() time.Duration {
	if s.wall != nil {
		return s.wall()
	}
	return s.q.sys.now()
}

// when is the stamp at which the delayer is to look: always a later one.
func (s *Series) when() int64 {
	at, _ := s.pol.Due()
	d := at - s.clock()
	if s.wall != nil {
		d = min(d, recheck)
	}
	return s.q.sys.due(max(1, d))
}

// runAndTell is the function of an item that may owe runs.
func (s *Series) runAndTell(ctx *messages.Context) error {
	defer s.q.sys.delayer.mb.postOnce(&s.ended) // after a panic, too
	return s.f(ctx)
}

// Stop ends the series, and says whether it had not ended before. A run that is
// queued or goes on is left alone; none is queued any more.
func (s *Series) Stop() bool {
	if !Cancel(&s.timer) {
		return false
	}
	s.finish(messages.ErrCancelled)
	return true
}

// Dropped ends the series of a queue or system that ends.
func (s *Series) Dropped(err error) { s.finish(err) }

func (s *Series) finish(err error) {
	if !s.once.Swap(true) {
		s.why = err
		close(s.over)
	}
}

// Done is closed when the series has ended.
func (s *Series) Done() <-chan struct{} { return s.over }

// Err says why it has ended; nil before, and if it had no instant left.
func (s *Series) Err() error {
	select {
	case <-s.over:
		return s.why
	default:
		return nil
	}
}

// publish shows the policy's counts to those who ask.
func (s *Series) publish() {
	at, _ := s.pol.Due()
	s.next.Store(int64(at))
	s.runs.Store(s.pol.Runs)
	s.missed.Store(s.pol.Missed)
	s.owed.Store(int64(s.pol.Owed()))
}

// SeriesStats are a series' numbers.
type SeriesStats struct {
	Runs, Missed, Owed int64
	Next               time.Time // zero if the series has ended
}

// Stats are of about one instant.
func (s *Series) Stats() SeriesStats {
	st := SeriesStats{Runs: s.runs.Load(), Missed: s.missed.Load(), Owed: s.owed.Load()}
	if !s.once.Load() {
		if st.Next = time.Unix(0, s.next.Load()); s.wall == nil {
			st.Next = s.q.sys.base.Add(time.Duration(s.next.Load())).Round(0)
		}
	}
	return st
}

// Now is the time since the system's start, in which instants of a series count.
func (s *System) Now() time.Duration { return s.now() }
