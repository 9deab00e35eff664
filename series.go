package cmwq

import (
	"context"
	"fmt"
	"time"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// CatchUpPolicy says what becomes of an instant at which a periodic item cannot start.
type CatchUpPolicy = policy.CatchUp

// What to do about missed instants: those at which the item still waited or ran, those
// that nobody looked at in time, and, for All, those at which it was disabled or its
// queue drained.
const (
	// Skip misses them: the item is never queued while it waits or runs. It is the
	// default.
	Skip = policy.Skip
	// Once makes up for any number by one run, right after the present one.
	Once = policy.Once
	// All makes up for each by a run, one after the other, however many.
	All = policy.All
)

// SeriesOption changes how a periodic item is queued.
type SeriesOption func(*seriesOptions)

type seriesOptions struct {
	catchUp CatchUpPolicy
	jitter  time.Duration
	from    time.Time
	now     bool
	cpu     int
}

// CatchUp says what becomes of missed instants; the default is Skip.
func CatchUp(p CatchUpPolicy) SeriesOption { return func(o *seriesOptions) { o.catchUp = p } }

// Jitter delays each instant by a random time below d, so that many series do not
// start in the same moment. The schedule itself stays as it is. It must be shorter
// than an Interval; instants of a cron schedule that come within the delay of an
// earlier one count as missed with it.
func Jitter(d time.Duration) SeriesOption { return func(o *seriesOptions) { o.jitter = d } }

// FirstNow makes the moment of Every the first instant.
func FirstNow() SeriesOption { return func(o *seriesOptions) { o.now = true } }

// FirstAt counts an Interval from t, which is its first instant; a cron schedule has
// no instants before t. If t is past, instants before the moment of Every are made up
// for with Once and All, as after a restart, and are none with Skip: FirstAt(midnight)
// keeps an Interval aligned.
func FirstAt(t time.Time) SeriesOption { return func(o *seriesOptions) { o.from = t } }

// OnCPU queues the item on the pool of a logical CPU, as QueueOn does.
func OnCPU(cpu int) SeriesOption {
	if cpu == messages.AnyCPU {
		cpu = -1 // it is no CPU's number
	}
	return func(o *seriesOptions) { o.cpu = cpu }
}

// Series is a periodic item at work. Its methods are safe for concurrent use.
type Series struct {
	s    *actors.Series
	work *Work
}

// Every queues w again and again, as spec says, until the Series is stopped or the
// queue or system ends. The first time is one interval from now, or the first instant
// of the schedule; see FirstNow and FirstAt. Errors: ErrSchedule, ErrOption, ErrNoFunc, ErrCPU,
// ErrDraining, ErrDestroyed, ErrStopped.
//
// w never runs twice at once. An instant that finds it waiting or running follows
// CatchUp. Between two instants w is idle, and may be queued as any item. w.Func is
// read here, once.
//
// Cancel of w takes a run off the queue, and the series goes on. While w is disabled,
// and while the queue drains, instants are missed; with All they are made up for from
// the next instant on. Flush and Drain do not wait for a series, Stop and Destroy end
// it: Err then says ErrStopped or ErrDestroyed. To end it for good: Stop, and CancelWait
// of w if a run may go on; StopWait is both.
//
// A series is one entry in a heap and no goroutine; a few µs an instant.
func (q *Queue) Every(spec Spec, w *Work, opts ...SeriesOption) (*Series, error) {
	o := seriesOptions{cpu: messages.AnyCPU}
	for _, set := range opts {
		set(&o)
	}
	if err := o.check(spec); err != nil {
		return nil, err
	}
	sys := q.q.System()
	rule, first, err := spec.rule(time.Now(), sys.Now(), &o)
	if err != nil {
		return nil, err
	}
	so := actors.SeriesOptions{Rule: rule, First: first, CatchUp: o.catchUp, Jitter: o.jitter, CPU: o.cpu}
	if spec.schedule != nil {
		so.Wall = actors.WallClock
	}
	s, err := q.q.Every(so, &w.item, w.Func)
	if err != nil {
		return nil, err
	}
	return &Series{s: s, work: w}, nil
}

func (o *seriesOptions) check(spec Spec) error {
	if err := spec.Err(); err != nil {
		return err
	}
	switch {
	case o.catchUp > All:
		return fmt.Errorf("%w: CatchUp(%d)", ErrOption, o.catchUp)
	case o.jitter < 0, spec.schedule == nil && o.jitter >= spec.every:
		return fmt.Errorf("%w: Jitter(%v) with %v", ErrOption, o.jitter, spec)
	case o.now && !o.from.IsZero():
		return fmt.Errorf("%w: FirstNow and FirstAt exclude each other", ErrOption)
	case o.cpu < 0 || o.cpu > messages.AnyCPU:
		return ErrCPU
	}
	return nil
}

// Stop ends the series, and says whether it went on until then. When it has returned
// the series queues nothing any more; a run that is queued or goes on is left alone.
// An item may stop its own series.
func (s *Series) Stop() bool { return s.s.Stop() }

// StopWait is Stop, and CancelWait of the item: afterwards nothing of the series waits
// or runs. wasPending says that a run was taken off the queue. The item must not call it
// for itself.
func (s *Series) StopWait(ctx context.Context) (wasPending bool, err error) {
	s.s.Stop()
	return s.work.CancelWait(ctx)
}

// Done is closed when the series has ended.
func (s *Series) Done() <-chan struct{} { return s.s.Done() }

// Err says why the series has ended: ErrCancelled after Stop, ErrDestroyed, ErrStopped;
// nil while it goes on, and after the last instant of a schedule that has one.
func (s *Series) Err() error { return s.s.Err() }

// SeriesStats are a series' numbers: every instant that has come is in one of them.
type SeriesStats struct {
	Runs   int64     // the item was queued for it
	Missed int64     // it was not
	Owed   int64     // it will be: All
	Next   time.Time // when it is looked at next, zero if the series has ended
}

// Stats are the numbers of about this moment.
func (s *Series) Stats() SeriesStats { return SeriesStats(s.s.Stats()) }
