package cmwq_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// zone gives a place's time, or skips where the machine has no zones.
func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Skip(err)
	}
	return loc
}

// times runs a series from a moment of virtual time for so long, and says when its item
// ran, in UTC.
func times(t *testing.T, from string, long time.Duration, spec cmwq.Spec, opts ...cmwq.SeriesOption) (ran []string, err error) {
	t.Helper()
	begin, perr := time.Parse(time.RFC3339, from)
	require.NoError(t, perr)
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		time.Sleep(time.Until(begin))
		q := queue(t, sys, "q")
		w := cmwq.NewWork(func(*cmwq.Context) error {
			ran = append(ran, time.Now().UTC().Format("2 15:04:05"))
			return nil
		})
		var s *cmwq.Series
		if s, err = q.Every(spec, w, opts...); err != nil {
			return
		}
		time.Sleep(long)
		synctest.Wait()
		require.Equal(t, len(ran), int(s.Stats().Runs))
		s.Stop()
	})
	return ran, err
}

func TestCronRunsWhenItSays(t *testing.T) {
	utc := time.UTC
	berlin := zone(t, "Europe/Berlin")
	for _, tt := range []struct {
		name string
		from string
		long time.Duration
		spec cmwq.Spec
		want []string
	}{
		{"minutes", "2001-03-05T10:02:30Z", 11 * time.Minute, cmwq.CronIn(utc, "*/5 * * * *"), []string{"5 10:05:00", "5 10:10:00"}},
		{"seconds", "2001-03-05T10:02:30Z", 50 * time.Second, cmwq.CronIn(utc, "*/20 * * * * *"), []string{"5 10:02:40", "5 10:03:00", "5 10:03:20"}},
		{"an instant that is now has passed", "2001-03-05T10:05:00Z", 5 * time.Minute, cmwq.CronIn(utc, "*/5 * * * *"), []string{"5 10:10:00"}},
		{"descriptor", "2001-03-05T10:02:30Z", 2 * time.Hour, cmwq.CronIn(utc, "@hourly"), []string{"5 11:00:00", "5 12:00:00"}},
		{"@every is an interval", "2001-03-05T10:02:30Z", 4 * time.Minute, cmwq.Cron("@every 90s"), []string{"5 10:04:00", "5 10:05:30"}},
		{"a place", "2001-01-05T10:00:00Z", 24 * time.Hour, cmwq.CronIn(berlin, "30 6 * * *"), []string{"6 05:30:00"}},
		{"a place in the line goes before", "2001-01-05T10:00:00Z", 24 * time.Hour, cmwq.CronIn(berlin, "CRON_TZ=Asia/Tokyo 30 6 * * *"), []string{"5 21:30:00"}},
		// Clocks go forward on 25 March 2001 at 01:00Z: 02:30 does not exist there.
		{"an hour that is left out", "2001-03-24T12:00:00Z", 48 * time.Hour, cmwq.CronIn(berlin, "30 2 * * *"), []string{"26 00:30:00"}},
		{"the same time of day", "2001-03-24T12:00:00Z", 48 * time.Hour, cmwq.CronIn(berlin, "0 6 * * *"), []string{"25 04:00:00", "26 04:00:00"}},
		// Clocks go back on 28 October 2001 at 01:00Z: minutes of the day go on.
		{"an hour twice, by minutes", "2001-10-28T00:40:00Z", time.Hour, cmwq.CronIn(berlin, "*/30 * * * *"), []string{"28 01:00:00", "28 01:30:00"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := times(t, tt.from, tt.long, tt.spec)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

func TestCronFirst(t *testing.T) {
	const now = "2001-03-05T10:02:30Z"
	at := func(text string) time.Time {
		v, err := time.Parse(time.RFC3339, text)
		require.NoError(t, err)
		return v
	}
	five := cmwq.CronIn(time.UTC, "*/5 * * * *")
	for name, tt := range map[string]struct {
		opts []cmwq.SeriesOption
		want []string
	}{
		"now":        {[]cmwq.SeriesOption{cmwq.FirstNow()}, []string{"5 10:02:30", "5 10:05:00", "5 10:10:00"}},
		"future":     {[]cmwq.SeriesOption{cmwq.FirstAt(at("2001-03-05T10:10:00Z"))}, []string{"5 10:10:00"}},
		"past, skip": {[]cmwq.SeriesOption{cmwq.FirstAt(at("2001-03-05T09:45:00Z"))}, []string{"5 10:05:00", "5 10:10:00"}},
		"past, once": {[]cmwq.SeriesOption{cmwq.FirstAt(at("2001-03-05T09:45:00Z")), cmwq.CatchUp(cmwq.Once)}, []string{"5 10:02:30", "5 10:05:00", "5 10:10:00"}},
		"past, all": {[]cmwq.SeriesOption{cmwq.FirstAt(at("2001-03-05T09:45:00Z")), cmwq.CatchUp(cmwq.All)},
			[]string{"5 10:02:30", "5 10:02:30", "5 10:02:30", "5 10:02:30", "5 10:05:00", "5 10:10:00"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := times(t, now, 8*time.Minute, five, tt.opts...)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

// Thousands of instants were missed: they are counted in steps, and all are made up for.
func TestCronFarBehind(t *testing.T) {
	begin := "2001-03-05T10:00:30Z"
	v, err := time.Parse(time.RFC3339, begin)
	require.NoError(t, err)
	got, err := times(t, begin, time.Second, cmwq.CronIn(time.UTC, "* * * * *"), cmwq.FirstAt(v.AddDate(0, 0, -3)), cmwq.CatchUp(cmwq.All))
	require.NoError(t, err)
	require.Len(t, got, 3*24*60)
}

func TestCronErrors(t *testing.T) {
	for _, expr := range []string{
		"", "* * * *", "* * * * * * *", "61 * * * *", "x * * * *", "@often", "@every", "@every soon", "@every -1s", "@every 0s",
		"CRON_TZ=Nowhere/Town * * * * *", "TZ=0", "CRON_TZ=",
	} {
		spec := cmwq.Cron(expr)
		require.ErrorIs(t, spec.Err(), cmwq.ErrSchedule, expr)
	}
	require.NoError(t, cmwq.Cron("*/5 9-17 * * MON-FRI").Err())
	require.Equal(t, "cron */5 * * * *", cmwq.Cron("*/5 * * * *").String())
	require.Equal(t, "every 1m30s", cmwq.Cron("@every 90s").String())
	require.Equal(t, "on cmwq_test.fixed", cmwq.OnSchedule(fixed(nil)).String())
}

// fixed is a schedule of moments.
type fixed []time.Time

func (f fixed) Next(after time.Time) time.Time {
	for _, t := range f {
		if t.After(after) {
			return t
		}
	}
	return time.Time{}
}

type broken struct{ n int }

func (b *broken) Next(after time.Time) time.Time {
	if b.n++; b.n > 3 {
		panic(errors.New("broken"))
	}
	return after.Add(time.Minute)
}

// A schedule that ends, ends the series: when the last run that it owes was queued.
func TestScheduleThatEnds(t *testing.T) {
	for _, policy := range []cmwq.CatchUpPolicy{cmwq.Skip, cmwq.Once, cmwq.All} {
		bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
			q := queue(t, sys, "q")
			at := since()
			now := time.Now()
			var ran record
			w := cmwq.NewWork(func(ctx *cmwq.Context) error { ran.add(at()); return ctx.Sleep(25 * ms) })
			s, err := q.Every(cmwq.OnSchedule(fixed{now.Add(10 * ms), now.Add(20 * ms), now.Add(30 * ms)}), w, cmwq.CatchUp(policy))
			require.NoError(t, err)
			<-s.Done()
			require.NoError(t, s.Err())
			ended := at()
			require.NoError(t, w.Flush(bg))
			switch policy {
			case cmwq.Skip:
				require.Equal(t, []int{10}, ran.get())
				require.Equal(t, 30, ended)
			case cmwq.Once:
				require.Equal(t, []int{10, 35}, ran.get())
				require.Equal(t, 30, ended)
			default:
				require.Equal(t, []int{10, 35, 60}, ran.get())
				require.Equal(t, 60, ended, "the third run is queued when the second has ended")
			}
			require.False(t, s.Stop())
			require.True(t, s.Stats().Next.IsZero())
		})
	}
	got, err := times(t, "2001-03-05T10:00:00Z", time.Hour, cmwq.OnSchedule(&broken{}))
	require.NoError(t, err)
	require.Equal(t, []string{"5 10:01:00", "5 10:02:00", "5 10:03:00"}, got, "a schedule that panics has no further instant")
}

// A series that owes runs when its schedule has ended can still be stopped, by hand and
// by the end of its queue.
func TestScheduleThatEndedAndOwes(t *testing.T) {
	for name, end := range map[string]func(q *cmwq.Queue, s *cmwq.Series) error{
		"stop":    func(q *cmwq.Queue, s *cmwq.Series) error { s.Stop(); return cmwq.ErrCancelled },
		"destroy": func(q *cmwq.Queue, s *cmwq.Series) error { _ = q.Destroy(bg); return cmwq.ErrDestroyed },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q")
				now := time.Now()
				n := 0
				w := cmwq.NewWork(func(ctx *cmwq.Context) error { n++; return nil })
				_, err := w.Disable(bg)
				require.NoError(t, err)
				s, err := q.Every(cmwq.OnSchedule(fixed{now.Add(10 * ms), now.Add(20 * ms)}), w, cmwq.CatchUp(cmwq.All))
				require.NoError(t, err)
				time.Sleep(time.Second)
				require.Equal(t, int64(2), s.Stats().Owed)
				require.NoError(t, s.Err())
				want := end(q, s)
				require.ErrorIs(t, s.Err(), want)
				_, err = w.Enable()
				require.NoError(t, err)
				time.Sleep(time.Second)
				require.Zero(t, n)
			})
		})
	}
}
