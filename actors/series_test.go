package actors

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/messages"
)

// setClock is wall time that the test sets.
type setClock struct{ ahead atomic.Int64 }

func (c *setClock) now() time.Duration { return WallClock() + time.Duration(c.ahead.Load()) }

func (c *setClock) set(d time.Duration) { c.ahead.Add(int64(d)) }

// hourly is due on the hour of a clock.
var hourly = policy.Calendar(func(after time.Duration) (time.Duration, bool) {
	return after.Truncate(time.Hour) + time.Hour, true
})

// A calendar goes by the wall clock, also when that is set: forward it is noticed within
// the recheck, back the item does not run early.
func TestSeriesFollowsAClockThatIsSet(t *testing.T) {
	for _, tt := range []struct {
		name   string
		after  time.Duration // of real time
		set    time.Duration
		policy policy.CatchUp
		runs   []time.Duration // real time since the start
		missed int64
	}{
		{"forward", 5 * time.Minute, 3 * time.Hour, policy.Skip, []time.Duration{10 * time.Minute, time.Hour, 2 * time.Hour}, 2},
		{"forward, all", 5 * time.Minute, 3 * time.Hour, policy.All, []time.Duration{10 * time.Minute, 10 * time.Minute, 10 * time.Minute, time.Hour, 2 * time.Hour}, 0},
		{"back", 50 * time.Minute, -30 * time.Minute, policy.Skip, []time.Duration{90 * time.Minute, 150 * time.Minute}, 0},
		{"back by more than a period", 90 * time.Minute, -2 * time.Hour, policy.Skip, []time.Duration{time.Hour}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, 1, nil, func(t *testing.T, sys *System) {
				q := newTestQueue(t, sys, "q", QueueOptions{})
				var clock setClock
				begin := time.Now()
				require.Zero(t, WallClock()%time.Hour, "virtual time begins on the hour")
				var runs []time.Duration
				j := newJob(func(*messages.Context) error { runs = append(runs, time.Since(begin)); return nil })
				first, _ := hourly(clock.now())
				s, err := q.Every(SeriesOptions{Rule: hourly, First: first, Wall: clock.now, CatchUp: tt.policy, CPU: messages.AnyCPU}, &j.it, j.f)
				require.NoError(t, err)
				time.Sleep(tt.after)
				clock.set(tt.set)
				time.Sleep(170*time.Minute - tt.after)
				synctest.Wait()
				require.Equal(t, tt.runs, runs)
				require.Equal(t, tt.missed, s.Stats().Missed)
				require.True(t, s.Stop())
			})
		})
	}
}

// Many stop a series at once, while it fires and its item ends: one of them does, and
// after the first Stop that has returned nothing is queued.
func TestSeriesStoppedByMany(t *testing.T) {
	bubble(t, 2, nil, func(t *testing.T, sys *System) {
		q := newTestQueue(t, sys, "q", QueueOptions{})
		for round := range 300 {
			j := newJob(nil)
			j.f = func(*messages.Context) error { j.ran.Add(1); return nil }
			s, err := q.Every(SeriesOptions{Rule: policy.Every(time.Microsecond), First: sys.Now(), CatchUp: policy.CatchUp(round % 3), CPU: messages.AnyCPU}, &j.it, j.f)
			require.NoError(t, err)
			time.Sleep(time.Duration(round%5) * time.Microsecond)
			var stopped atomic.Int32
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					if s.Stop() {
						stopped.Add(1)
					}
					<-s.Done()
				})
			}
			wg.Wait()
			require.EqualValues(t, 1, stopped.Load())
			require.NoError(t, Flush(t.Context(), &j.it))
			ran := j.ran.Load()
			time.Sleep(time.Millisecond)
			require.Equal(t, ran, j.ran.Load())
			require.EqualValues(t, ran, s.Stats().Runs)
		}
		require.Empty(t, sys.delayer.heap, "nothing is left armed")
	})
}

// Series that fire all the time, and the end of their system.
func TestSeriesAndStop(t *testing.T) {
	for range short.Rounds(100) {
		bubble(t, 2, nil, func(t *testing.T, sys *System) {
			q := newTestQueue(t, sys, "q", QueueOptions{})
			all := make([]*Series, 5)
			for i := range all {
				j := newJob(nil)
				j.f = func(*messages.Context) error { return nil }
				var err error
				all[i], err = q.Every(SeriesOptions{Rule: policy.Every(time.Microsecond), First: sys.Now(), CatchUp: policy.All, CPU: messages.AnyCPU}, &j.it, j.f)
				require.NoError(t, err)
			}
			time.Sleep(10 * time.Microsecond)
			require.NoError(t, sys.Stop(t.Context()))
			for _, s := range all {
				<-s.Done()
				require.ErrorIs(t, s.Err(), messages.ErrStopped)
			}
			require.Zero(t, sys.dropped.Load())
		})
	}
}
