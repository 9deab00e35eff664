package cmwq_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/cpuset"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/topology"
)

// What SetAttrs cannot change it refuses: an option that it took and forgot would be a
// promise.
func TestSetAttrsRefusesEveryOtherOption(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "q")
	for name, o := range map[string]cmwq.QueueOption{
		"PerCPU": cmwq.PerCPU(), "Unbound": cmwq.Unbound(), "Ordered": cmwq.Ordered(), "BH": cmwq.BH(),
		"HighPri": cmwq.HighPri(), "CPUIntensive": cmwq.CPUIntensive(), "MaxActive": cmwq.MaxActive(3),
		"MinActive": cmwq.MinActive(2), "MemReclaim": cmwq.MemReclaim(), "Freezable": cmwq.Freezable(),
		"PowerEfficient": cmwq.PowerEfficient(),
	} {
		require.ErrorIs(t, q.SetAttrs(bg, cmwq.Nice(3), o), cmwq.ErrOption, name)
		require.Zero(t, q.Attrs().Nice, name)
	}
	require.NoError(t, q.SetAttrs(bg, cmwq.Nice(3), cmwq.Affinity(topology.ScopeSystem, true)))
	require.Equal(t, 3, q.Attrs().Nice)
}

// A BH queue refuses what means nothing for it.
func TestBHRefusesWhatItCannotDo(t *testing.T) {
	sys := start(t)
	for name, o := range map[string]cmwq.QueueOption{
		"MinActive": cmwq.MinActive(2), "Nice": cmwq.Nice(1), "CPUs": cmwq.CPUs(cpuset.New(0)),
		"Affinity": cmwq.Affinity(topology.ScopeCPU, false),
	} {
		_, err := sys.NewQueue("q", cmwq.BH(), o)
		require.ErrorIs(t, err, cmwq.ErrOption, name)
	}
	_, err := sys.NewQueue("q", cmwq.BH(), cmwq.HighPri())
	require.NoError(t, err)
}

// A system queue that is asked for after the end refuses with errors, and does not
// panic, whatever is asked of it.
func TestAQueueThatNeverWasAnswersEverything(t *testing.T) {
	sys := start(t)
	require.NoError(t, sys.Stop(bg))
	w := cmwq.NewWork(func(*cmwq.Context) error { return nil })
	for _, q := range []*cmwq.Queue{sys.Unbound(), sys.Default(), sys.BH()} {
		require.Zero(t, q.Attrs().Nice)
		require.ErrorIs(t, q.Queue(w), cmwq.ErrStopped)
		require.ErrorIs(t, q.QueueOn(0, w), cmwq.ErrStopped)
		require.ErrorIs(t, q.QueueAfter(1, w), cmwq.ErrStopped)
		require.ErrorIs(t, q.Keyed(1).Queue(w), cmwq.ErrStopped)
		require.ErrorIs(t, q.Go(w.Func), cmwq.ErrStopped)
		require.ErrorIs(t, q.Flush(bg), cmwq.ErrStopped)
		require.ErrorIs(t, q.Drain(bg), cmwq.ErrSystemQueue)
		require.ErrorIs(t, q.Destroy(bg), cmwq.ErrSystemQueue)
		require.Error(t, q.SetMaxActive(3))
		require.Error(t, q.SetMinActive(3))
		require.Error(t, q.SetAttrs(bg, cmwq.Nice(1)))
		require.Error(t, q.Fix(1, 1))
		_, err := q.Stats(bg)
		require.ErrorIs(t, err, cmwq.ErrStopped)
		_, err = q.Modify(0, w)
		require.ErrorIs(t, err, cmwq.ErrStopped)
		_, err = q.Every(cmwq.Interval(1), w)
		require.ErrorIs(t, err, cmwq.ErrStopped)
		require.False(t, q.Congested(0))
		_, err = cmwq.Submit(q, func(*cmwq.Context) (int, error) { return 1, nil }).Wait(bg)
		require.ErrorIs(t, err, cmwq.ErrStopped)
		require.ErrorIs(t, q.QueueNode(0, w), cmwq.ErrStopped)
	}
	require.ErrorIs(t, sys.OnEachCPU(bg, w.Func), cmwq.ErrStopped)
	require.ErrorIs(t, sys.Freeze(bg), cmwq.ErrStopped)
	sys.Thaw()
	sys.TouchWatchdog()
}
