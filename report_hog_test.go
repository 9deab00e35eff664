package cmwq_test

import (
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
)

// The sequence is the log's, and each says where the function was at that time.
func TestOnHog(t *testing.T) {
	var hogs []cmwq.Hog
	log := &records{}
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "q", cmwq.PerCPU())
		for range 40 {
			require.NoError(t, q.Go(hogItem))
			require.NoError(t, q.Go(anotherItem)) // a hog is found when work waits
			require.NoError(t, q.Flush(bg))
			synctest.Wait()
		}
		var times []int
		for _, h := range hogs {
			times = append(times, h.Times)
			require.Equal(t, []string{pkg + "hogItem", "q", "0", messages.SilentAdvice}, []string{h.Func, h.Queue, h.Pool, h.Advice})
			require.Regexp(t, `^kworker/0:\d$`, h.Worker)
			require.Equal(t, 10*time.Millisecond, h.Threshold)
			require.Equal(t, "sleep", h.Where.State, "what stands for work here")
			require.Equal(t, "hog_test.go", filepath.Base(h.Where.File))
			require.Equal(t, pkg+"hogItem", h.Where.Func)
		}
		require.Equal(t, []int{4, 5, 7, 11, 19, 35}, times)
		require.Contains(t, log.find("work blocks for long and does not say so: " + messages.SilentAdvice)[0]["where"], "blocked in sleep at "+hogs[0].Where.File)
	}, cmwq.WithLogger(log.logger()), noGauges(), cmwq.WithOnHog(func(h cmwq.Hog) { hogs = append(hogs, h) }),
		func(o *actors.Options) error { o.HogThreshold = 10 * time.Millisecond; return nil })
}

// A function that really holds a CPU is told of with the line that it is at. On a busy
// machine the profile may come too late for one time, but not for all.
func TestOnHogTellsTheLine(t *testing.T) {
	hogs := make(chan cmwq.Hog, 100)
	sys := start(t, cmwq.WithHogReport(1), cmwq.WithHogThreshold(2*time.Millisecond), noGauges(),
		silent(), cmwq.WithOnHog(func(h cmwq.Hog) { hogs <- h }))
	q := queue(t, sys, "maths", cmwq.PerCPU())
	var enough atomic.Bool
	var line here
	spin := func(*cmwq.Context) error {
		line.next()
		for !enough.Load() {
		}
		return nil
	}
	for range 50 {
		enough.Store(false)
		require.NoError(t, q.QueueOn(0, cmwq.NewWork(spin)))
		require.NoError(t, q.QueueOn(0, cmwq.NewWork(anotherItem)))
		var h cmwq.Hog
		select {
		case h = <-hogs:
		case <-time.After(time.Second): // the times between are told ever more seldom
		}
		enough.Store(true)
		require.NoError(t, q.Flush(bg))
		if h.Where != nil {
			require.Equal(t, "running", h.Where.State)
			require.Equal(t, messages.HogAdvice, h.Advice)
			require.Equal(t, "report_hog_test.go", filepath.Base(h.Where.File))
			require.InDelta(t, line.at(), h.Where.Line, 1)
			require.Contains(t, h.Where.Func, "TestOnHogTellsTheLine")
			return
		}
	}
	t.Fatal("never seen")
}
