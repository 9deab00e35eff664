package cmwq_test

import (
	"context"
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

const ms = time.Millisecond

func stopWait(t *testing.T, s *cmwq.Series) {
	t.Helper()
	_, err := s.StopWait(bg)
	require.NoError(t, err)
}

// periodic runs an item every 10 ms, whose n-th run takes the n-th of these times, for
// so long; it gives when the runs began, in ms.
func periodic(t *testing.T, long int, takes []int, opts ...cmwq.SeriesOption) (starts []int, st cmwq.SeriesStats) {
	t.Helper()
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q")
		at := since()
		var ran record
		w := cmwq.NewWork(func(ctx *cmwq.Context) error {
			n := len(ran.get())
			ran.add(at())
			if n < len(takes) {
				return ctx.Sleep(time.Duration(takes[n]) * ms)
			}
			return nil
		})
		s, err := q.Every(cmwq.Interval(10*ms), w, opts...)
		require.NoError(t, err)
		time.Sleep(time.Duration(long)*ms + ms/2)
		synctest.Wait()
		starts, st = ran.get(), s.Stats()
		require.True(t, s.Stop())
		require.False(t, s.Stop())
		time.Sleep(time.Second)
		require.NoError(t, q.Flush(bg))
		require.LessOrEqual(t, len(ran.get()), len(starts)+1, "nothing is queued after Stop")
		require.Equal(t, cmwq.Busy{}, w.Busy())
	})
	return starts, st
}

func TestEveryDoesNotDrift(t *testing.T) {
	starts, st := periodic(t, 1000, []int{9, 0, 3, 7, 9, 1})
	require.Len(t, starts, 100)
	for i, at := range starts {
		require.Equal(t, 10*(i+1), at, "base and k intervals, however long a run takes")
	}
	require.Equal(t, []int64{100, 0, 0}, []int64{st.Runs, st.Missed, st.Owed})
}

// The first run takes 25 of 10 ms: what becomes of the instants 20 and 30.
func TestEveryCatchUp(t *testing.T) {
	for _, tt := range []struct {
		name   string
		policy cmwq.CatchUpPolicy
		starts []int
		missed int64
	}{
		{"skip", cmwq.Skip, []int{10, 40, 50, 60}, 2},
		{"once", cmwq.Once, []int{10, 35, 40, 50, 60}, 1},
		{"all", cmwq.All, []int{10, 35, 35, 40, 50, 60}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			starts, st := periodic(t, 60, []int{25}, cmwq.CatchUp(tt.policy))
			require.Equal(t, tt.starts, starts)
			require.Equal(t, []int64{int64(len(tt.starts)), tt.missed, 0}, []int64{st.Runs, st.Missed, st.Owed})
		})
	}
	// Every run is longer than the interval: All falls behind and says so.
	starts, st := periodic(t, 100, []int{20, 20, 20, 20, 20, 20, 20, 20, 20, 20}, cmwq.CatchUp(cmwq.All))
	require.Equal(t, []int{10, 30, 50, 70, 90}, starts)
	require.EqualValues(t, 10, st.Runs+st.Missed+st.Owed)
	require.Zero(t, st.Missed)
	starts, _ = periodic(t, 100, []int{20, 20, 20, 20, 20, 20, 20, 20, 20, 20}, cmwq.CatchUp(cmwq.Once))
	require.Equal(t, []int{10, 30, 50, 70, 90}, starts)
	starts, _ = periodic(t, 100, []int{15, 15, 15, 15, 15, 15}, cmwq.CatchUp(cmwq.Skip))
	require.Equal(t, []int{10, 30, 50, 70, 90}, starts)
}

func TestEveryFirst(t *testing.T) {
	starts, _ := periodic(t, 30, nil, cmwq.FirstNow())
	require.Equal(t, []int{0, 10, 20, 30}, starts)
	for name, tt := range map[string]struct {
		first  time.Duration
		policy cmwq.CatchUpPolicy
		starts []int
		missed int64
	}{
		"future":     {25 * ms, cmwq.Skip, []int{25, 35, 45}, 0},
		"past, skip": {-25 * ms, cmwq.Skip, []int{5, 15, 25, 35, 45}, 0},
		"past, once": {-25 * ms, cmwq.Once, []int{0, 5, 15, 25, 35, 45}, 2},
		"past, all":  {-25 * ms, cmwq.All, []int{0, 0, 0, 5, 15, 25, 35, 45}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q")
				at := since()
				var ran record
				w := cmwq.NewWork(func(*cmwq.Context) error { ran.add(at()); return nil })
				s, err := q.Every(cmwq.Interval(10*ms), w, cmwq.FirstAt(time.Now().Add(tt.first)), cmwq.CatchUp(tt.policy))
				require.NoError(t, err)
				time.Sleep(50 * ms)
				synctest.Wait()
				require.Equal(t, tt.starts, ran.get())
				require.Equal(t, tt.missed, s.Stats().Missed)
				require.Equal(t, time.Now().Add(5*ms).UnixNano(), s.Stats().Next.UnixNano())
				stopWait(t, s)
				require.True(t, s.Stats().Next.IsZero())
			})
		})
	}
}

// The delays differ, stay below what was asked, and leave the schedule as it is.
func TestEveryJitter(t *testing.T) {
	starts, st := periodic(t, 2000, nil, cmwq.Jitter(9*ms))
	require.GreaterOrEqual(t, len(starts), 199)
	delays := map[int]bool{}
	for i, at := range starts {
		d := at - 10*(i+1)
		require.True(t, d >= 0 && d < 9, "run %d at %d ms", i, at)
		delays[d] = true
	}
	require.Greater(t, len(delays), 5)
	require.Zero(t, st.Missed)
}

func TestEveryOnCPU(t *testing.T) {
	bubble(t, 4, func(t *testing.T, sys *cmwq.System) {
		for cpu := range 4 {
			ran := 0
			w := cmwq.NewWork(func(ctx *cmwq.Context) error {
				require.Equal(t, cpu, ctx.CPU())
				ran++
				return nil
			})
			s, err := sys.Default().Every(cmwq.Interval(ms), w, cmwq.OnCPU(cpu))
			require.NoError(t, err)
			time.Sleep(10*ms + ms/2)
			stopWait(t, s)
			require.Equal(t, 10, ran)
		}
	})
}

// A periodic item is an item: who cancels, flushes or queues it does what he does to
// any, and the series goes on.
func TestEveryLeavesTheItemToItsUsers(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.Ordered())
		at := since()
		var ran record
		w := cmwq.NewWork(func(*cmwq.Context) error { ran.add(at()); return nil })
		s, err := q.Every(cmwq.Interval(10*ms), w)
		require.NoError(t, err)
		require.Equal(t, cmwq.Busy{}, w.Busy(), "between instants it is idle")
		require.False(t, w.Cancel())
		require.NoError(t, w.Flush(bg))
		require.NoError(t, q.Queue(w))
		require.NoError(t, w.Flush(bg))
		time.Sleep(15 * ms)
		g := newGate()
		require.NoError(t, q.Queue(g.Work)) // holds the queue from 15 to 25
		time.Sleep(10 * ms)
		require.True(t, w.Cancel(), "the instant 20 is taken off the queue")
		g.open <- struct{}{}
		time.Sleep(10 * ms)
		was, err := w.Disable(bg)
		require.NoError(t, err)
		require.False(t, was)
		time.Sleep(20 * ms) // 40, 50
		_, err = w.Enable()
		require.NoError(t, err)
		synctest.Wait()
		require.Equal(t, []int{0, 10, 30}, ran.get(), "enabling queues nothing")
		time.Sleep(10 * ms)
		require.NoError(t, q.QueueAfter(7*ms, w), "armed by hand from 65 to 72")
		time.Sleep(11 * ms)
		synctest.Wait()
		require.Equal(t, []int{0, 10, 30, 60, 72}, ran.get())
		require.Equal(t, []int64{4, 3}, []int64{s.Stats().Runs, s.Stats().Missed}, "a cancelled run was one; missed are 40, 50 and 70")
		require.True(t, s.Stop())
	})
}

func TestEveryMakesUpForWhatWasDisabled(t *testing.T) {
	for policy, want := range map[cmwq.CatchUpPolicy][]int{
		cmwq.Skip: {10, 50, 60}, cmwq.Once: {10, 50, 60}, cmwq.All: {10, 50, 50, 50, 50, 60},
	} {
		bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
			q := queue(t, sys, "q")
			at := since()
			var ran record
			w := cmwq.NewWork(func(*cmwq.Context) error { ran.add(at()); return nil })
			s, err := q.Every(cmwq.Interval(10*ms), w, cmwq.CatchUp(policy))
			require.NoError(t, err)
			time.Sleep(15 * ms)
			_, err = w.Disable(bg)
			require.NoError(t, err)
			time.Sleep(30 * ms)
			_, err = w.Enable()
			require.NoError(t, err)
			time.Sleep(20 * ms)
			synctest.Wait()
			require.Equal(t, want, ran.get())
			require.True(t, s.Stop())
		})
	}
}

// A frozen queue holds one run, of the instant that came first.
func TestEveryOnAFrozenQueue(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		at := since()
		var ran record
		w := cmwq.NewWork(func(*cmwq.Context) error { ran.add(at()); return nil })
		s, err := sys.Freezable().Every(cmwq.Interval(10*ms), w)
		require.NoError(t, err)
		time.Sleep(15 * ms)
		require.NoError(t, sys.Freeze(bg))
		time.Sleep(30 * ms) // 20, 30, 40
		require.True(t, w.Pending())
		sys.Thaw()
		time.Sleep(10 * ms)
		synctest.Wait()
		require.Equal(t, []int{10, 45, 50}, ran.get())
		require.EqualValues(t, 2, s.Stats().Missed)
		stopWait(t, s)
	})
}

// Stop and CancelWait in every state leave nothing: R23, timer and item.
func TestR23StoppedSeriesStaysStopped(t *testing.T) {
	for _, policy := range []cmwq.CatchUpPolicy{cmwq.Skip, cmwq.Once, cmwq.All} {
		for after := range 60 {
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

// Two systems' worth of series, in real time, with users who do what they like to their
// items: at the end every run that was queued has run or was cancelled.
func TestStressSeries(t *testing.T) {
	sys := start(t, silent())
	q := queue(t, sys, "q", cmwq.MaxActive(3))
	ctx, cancel := context.WithTimeout(bg, 20*time.Second)
	defer cancel()
	for round := range 6 {
		const n = 8
		var ran, cancelled [n]atomic.Int64
		var in [n]atomic.Int32
		works, all := [n]*cmwq.Work{}, [n]*cmwq.Series{}
		for i := range n {
			works[i] = cmwq.NewWork(func(ctx *cmwq.Context) error {
				if in[i].Add(1) != 1 {
					t.Error("two at once")
				}
				ran[i].Add(1)
				if i%2 == 0 {
					_ = ctx.Sleep(100 * time.Microsecond)
				}
				in[i].Add(-1)
				return nil
			})
			s, err := q.Every(cmwq.Interval(time.Duration(20+10*i)*time.Microsecond), works[i], cmwq.CatchUp(cmwq.CatchUpPolicy(i%3)))
			require.NoError(t, err)
			all[i] = s
		}
		for range 300 {
			for i, w := range works {
				if was, err := w.Disable(ctx); err != nil {
					t.Error(err)
				} else if was {
					cancelled[i].Add(1)
				}
				_, _ = w.Enable()
				if w.Cancel() {
					cancelled[i].Add(1)
				}
			}
		}
		for i, s := range all {
			require.True(t, s.Stop())
			require.NoError(t, works[i].Flush(ctx))
			st := s.Stats()
			require.Equal(t, st.Runs, ran[i].Load()+cancelled[i].Load(), "round %d, series %d: %+v", round, i, st)
		}
	}
}
