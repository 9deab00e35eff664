package cmwq

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/cmwq/cmwq/internal/policy"
)

// ErrSchedule says that a Spec is not valid, or has no instant at all.
var ErrSchedule = errors.New("cmwq: schedule is not valid")

// Schedule says when something is due: Next is the first instant after t, the zero
// time if there is none. It must be a pure function of t, and fast: it is called on
// a goroutine of the library that serves every delayed item. The schedules of
// github.com/robfig/cron/v3 are of this kind.
type Schedule interface {
	Next(t time.Time) time.Time
}

// Spec says when a periodic item is due: see Interval, Cron, CronIn, OnSchedule. A Spec that is
// not valid is told by Every.
type Spec struct {
	every    time.Duration
	schedule Schedule
	text     string
	err      error
}

// Interval is due every d, counted from the beginning of the series: it does not
// drift, however late an instant is looked at. It is kept by the monotonic clock.
// d must be positive. The runtime's timers do not come much more often than once in a
// millisecond: of a shorter interval several instants have come at a time.
func Interval(d time.Duration) Spec {
	s := Spec{every: d, text: "every " + d.String()}
	if d <= 0 {
		s.err = fmt.Errorf("%w: Interval(%v)", ErrSchedule, d)
	}
	return s
}

// Cron is due as a crontab line says, in local time: minute, hour, day of the month,
// which month, day of the week; six fields begin with the second. @hourly, @daily,
// @weekly, @monthly, @yearly and @every 90s (an Interval) are understood, and so is
// CRON_TZ=Europe/Berlin in front. It is kept by the wall clock: one that is set is
// noticed within ten minutes. Where clocks are put forward, what is due in the hour
// that is left out is left out too.
func Cron(expr string) Spec { return CronIn(time.Local, expr) }

// cronFields are those of crontab, and a second if there is one.
var cronFields = cron.NewParser(cron.SecondOptional | cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow | cron.Descriptor)

// CronIn is Cron in the time of a place; a CRON_TZ in expr goes before.
func CronIn(loc *time.Location, expr string) (s Spec) {
	s.text = "cron " + expr
	defer func() {
		if v := recover(); v != nil { // the parser does on a zone without a schedule
			s.err = fmt.Errorf("%w: Cron(%q): %v", ErrSchedule, expr, v)
		}
	}()
	if every, ok := strings.CutPrefix(strings.TrimSpace(expr), "@every "); ok {
		d, err := time.ParseDuration(strings.TrimSpace(every))
		if err != nil {
			return Spec{text: s.text, err: fmt.Errorf("%w: Cron(%q): %w", ErrSchedule, expr, err)}
		}
		return Interval(d)
	}
	got, err := cronFields.Parse(expr)
	if err != nil {
		s.err = fmt.Errorf("%w: Cron(%q): %w", ErrSchedule, expr, err)
		return s
	}
	if c, ok := got.(*cron.SpecSchedule); ok && c.Location == time.Local && loc != nil {
		c.Location = loc
	}
	s.schedule = got
	return s
}

// OnSchedule is due as a Schedule of the caller's says, by the wall clock.
func OnSchedule(schedule Schedule) Spec {
	s := Spec{schedule: schedule, text: fmt.Sprintf("on %T", schedule)}
	if schedule == nil {
		s.err = fmt.Errorf("%w: OnSchedule(nil)", ErrSchedule)
	}
	return s
}

// Err is what Every would say of s: ErrSchedule, or nil.
func (s Spec) Err() error {
	if s.err == nil && s.every == 0 && s.schedule == nil {
		return fmt.Errorf("%w: the zero Spec", ErrSchedule)
	}
	return s.err
}

// String says what s is: "every 5m0s", "cron */5 * * * *".
func (s Spec) String() string { return s.text }

// next asks the schedule in the policy's terms: ns since 1970. A schedule that panics
// has no instant.
func (s Spec) next(after time.Duration) (at time.Duration, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	t := s.schedule.Next(time.Unix(0, int64(after)))
	if t.IsZero() || t.Year() >= farYear {
		return 0, false
	}
	return time.Duration(t.UnixNano()), true
}

// farYear is beyond what nanoseconds since 1970 can say.
const farYear = 2262

// rule gives the rule of s and its first instant, for a series that begins at now.
func (s Spec) rule(now time.Time, mono time.Duration, o *seriesOptions) (policy.Rule, time.Duration, error) {
	if s.schedule == nil {
		every := policy.Every(s.every)
		switch {
		case o.now:
			return every, mono, nil
		case o.from.IsZero():
			return every, mono + min(s.every, math.MaxInt64-mono), nil
		}
		base := max(o.from.Sub(now), math.MinInt64/4)
		return every, every.First(mono+min(base, math.MaxInt64-mono), mono, o.catchUp), nil
	}
	calendar := policy.Calendar(s.next)
	at := time.Duration(now.UnixNano())
	if o.now {
		return calendar, at, nil
	}
	if !o.from.IsZero() && (o.from.After(now) || o.catchUp != Skip) {
		at = time.Duration(o.from.UnixNano()) - 1
	}
	first, ok := s.next(at)
	if !ok {
		return nil, 0, fmt.Errorf("%w: %v is never due", ErrSchedule, s)
	}
	return calendar, first, nil
}
