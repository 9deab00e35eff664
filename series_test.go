package cmwq_test

import (
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
