package cmwq_test

import (
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// Stop and CancelWait in every state leave nothing: R23, timer and item.
func TestR23StoppedSeriesStaysStopped(t *testing.T) {
	for _, policy := range []cmwq.CatchUpPolicy{cmwq.Skip, cmwq.Once, cmwq.All} {
		for _, after := range short.Some(60) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q")
				ended := false
				w := cmwq.NewWork(func(ctx *cmwq.Context) error {
					require.False(t, ended, "runs after StopWait")
					return ctx.Sleep(17 * ms)
				})
				s, err := q.Every(cmwq.Interval(10*ms), w, cmwq.CatchUp(policy))
				require.NoError(t, err)
				time.Sleep(time.Duration(after) * ms)
				stopWait(t, s)
				ended = true
				require.ErrorIs(t, s.Err(), cmwq.ErrCancelled)
				<-s.Done()
				require.Equal(t, cmwq.Busy{}, w.Busy())
				time.Sleep(time.Second)
				require.NoError(t, q.Queue(cmwq.NewWork(func(*cmwq.Context) error { return nil })))
				require.NoError(t, q.Flush(bg))
			})
		}
	}
}

func TestEveryStoppedByItsItem(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		n := 0
		var self atomic.Pointer[cmwq.Series]
		w := cmwq.NewWork(func(*cmwq.Context) error {
			if n++; n == 3 {
				require.True(t, self.Load().Stop())
			}
			return nil
		})
		s, err := q.Every(cmwq.Interval(10*ms), w, cmwq.CatchUp(cmwq.All))
		require.NoError(t, err)
		self.Store(s)
		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, 3, n)
	})
}

func TestEveryGoesOnAfterFailures(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		for _, policy := range []cmwq.CatchUpPolicy{cmwq.Skip, cmwq.All} {
			n := 0
			w := cmwq.NewWork(func(ctx *cmwq.Context) error {
				_ = ctx.Sleep(25 * ms)
				if n++; n%2 == 0 {
					panic(n)
				}
				runtime.Goexit()
				return nil
			})
			s, err := q.Every(cmwq.Interval(10*ms), w, cmwq.CatchUp(policy))
			require.NoError(t, err)
			time.Sleep(time.Second + ms)
			stopWait(t, s)
			require.Greater(t, n, 30)
		}
	})
}

func TestEveryAndTheEndOfItsQueue(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		var ran atomic.Int32
		w := cmwq.NewWork(func(ctx *cmwq.Context) error { ran.Add(1); return ctx.Sleep(5 * ms) })
		s, err := q.Every(cmwq.Interval(10*ms), w)
		require.NoError(t, err)
		time.Sleep(12 * ms)
		require.NoError(t, q.Flush(bg), "a flush waits for the run, not for the series")
		g := newGate()
		require.NoError(t, q.Queue(g.Work))
		drained := make(chan error, 1)
		go func() { drained <- q.Drain(bg) }()
		time.Sleep(30 * ms)
		_, err = q.Every(cmwq.Interval(ms), cmwq.NewWork(w.Func))
		require.ErrorIs(t, err, cmwq.ErrDraining)
		g.open <- struct{}{}
		require.NoError(t, <-drained, "nor does a drain")
		require.EqualValues(t, 1, ran.Load())
		require.EqualValues(t, 3, s.Stats().Missed, "instants during a drain are missed")
		time.Sleep(10 * ms)
		synctest.Wait()
		require.EqualValues(t, 2, ran.Load(), "afterwards it goes on")

		require.NoError(t, q.Destroy(bg))
		require.ErrorIs(t, s.Err(), cmwq.ErrDestroyed)
		require.False(t, s.Stop())
		st, err := q.Stats(bg)
		require.NoError(t, err)
		require.Zero(t, st.Dropped, "a series is no item")
		_, err = q.Every(cmwq.Interval(ms), w)
		require.ErrorIs(t, err, cmwq.ErrDestroyed)

		p := queue(t, sys, "p")
		s, err = p.Every(cmwq.Interval(time.Second), w)
		require.NoError(t, err)
		require.NoError(t, sys.Stop(bg))
		<-s.Done()
		require.ErrorIs(t, s.Err(), cmwq.ErrStopped)
		_, err = p.Every(cmwq.Interval(ms), w)
		require.ErrorIs(t, err, cmwq.ErrStopped)
	})
}

func TestEveryRefuses(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "q")
	w := cmwq.NewWork(func(*cmwq.Context) error { t.Error("ran"); return nil })
	sec := cmwq.Interval(time.Second)
	for name, tt := range map[string]struct {
		spec cmwq.Spec
		w    *cmwq.Work
		opts []cmwq.SeriesOption
		want error
	}{
		"no interval":      {cmwq.Interval(0), w, nil, cmwq.ErrSchedule},
		"negative":         {cmwq.Interval(-1), w, nil, cmwq.ErrSchedule},
		"zero spec":        {cmwq.Spec{}, w, nil, cmwq.ErrSchedule},
		"nil schedule":     {cmwq.OnSchedule(nil), w, nil, cmwq.ErrSchedule},
		"no cron":          {cmwq.Cron("often"), w, nil, cmwq.ErrSchedule},
		"never":            {cmwq.Cron("0 0 30 2 *"), w, nil, cmwq.ErrSchedule},
		"no function":      {sec, &cmwq.Work{}, nil, cmwq.ErrNoFunc},
		"catch up":         {sec, w, []cmwq.SeriesOption{cmwq.CatchUp(9)}, cmwq.ErrOption},
		"negative jitter":  {sec, w, []cmwq.SeriesOption{cmwq.Jitter(-1)}, cmwq.ErrOption},
		"long jitter":      {sec, w, []cmwq.SeriesOption{cmwq.Jitter(time.Second)}, cmwq.ErrOption},
		"two first":        {sec, w, []cmwq.SeriesOption{cmwq.FirstNow(), cmwq.FirstAt(time.Now())}, cmwq.ErrOption},
		"no CPU":           {sec, w, []cmwq.SeriesOption{cmwq.OnCPU(-1)}, cmwq.ErrCPU},
		"no such CPU":      {sec, w, []cmwq.SeriesOption{cmwq.OnCPU(9999)}, cmwq.ErrCPU},
		"any is no number": {sec, w, []cmwq.SeriesOption{cmwq.OnCPU(1<<16 - 1)}, cmwq.ErrCPU},
	} {
		s, err := q.Every(tt.spec, tt.w, tt.opts...)
		require.ErrorIs(t, err, tt.want, name)
		require.Nil(t, s, name)
	}
	s, err := q.Every(cmwq.Interval(math.MaxInt64), w)
	require.NoError(t, err)
	require.NoError(t, s.Err())
	require.True(t, s.Stop(), "an instant that is never reached")
	s, err = q.Every(cmwq.Interval(time.Hour), w, cmwq.FirstAt(time.Time{}.Add(1)))
	require.NoError(t, err)
	require.True(t, s.Stop())
}
