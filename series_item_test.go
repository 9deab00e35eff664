package cmwq_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

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
