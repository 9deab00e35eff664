package cmwq_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/messages"
	"github.com/cmwq/cmwq/supervisor"
)

// queueOf is a queue as a snapshot shows it.
func queueOf(t *testing.T, sys *cmwq.System, name string) cmwq.QueueSnapshot {
	t.Helper()
	snap, err := sys.Snapshot(bg)
	require.NoError(t, err)
	for _, q := range snap.Queues {
		if q.Name == name {
			return q
		}
	}
	t.Fatalf("no queue %s", name)
	return cmwq.QueueSnapshot{}
}

// dump is what Dump writes.
func dump(t *testing.T, sys *cmwq.System) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, sys.Dump(bg, &b))
	return b.String()
}

// fragile is an error that does not say what it is.
type fragile struct{}

func (fragile) Error() string { panic("nothing to say") }

// What failed is told with its text: the first failure, and later one in 100 ms.
func TestSnapshotTellsWhatFailedLately(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "disk")
		fail := func(err error) *messages.LastFailure {
			require.NoError(t, q.Go(func(*cmwq.Context) error { return err }))
			synctest.Wait()
			return queueOf(t, sys, "disk").LastFailure
		}
		require.Nil(t, fail(nil))
		first := fail(errors.New("no space"))
		require.Equal(t, "no space", first.Error)
		require.Equal(t, time.Now(), first.At)
		require.Regexp(t, `^kworker/`, first.Worker)

		time.Sleep(99 * time.Millisecond)
		require.Equal(t, "no space", fail(errors.New("no disk")).Error)
		time.Sleep(time.Millisecond)
		require.Equal(t, "no disk", fail(errors.New("no disk")).Error)

		time.Sleep(time.Second)
		require.Equal(t, strings.Repeat("x", 197)+"...", fail(errors.New(strings.Repeat("x", 1000))).Error)
		time.Sleep(time.Second)
		require.Equal(t, "cmwq_test.fragile: its Error method panicked", fail(fragile{}).Error)
		time.Sleep(time.Second)
		require.Equal(t, "a\uFFFDb", fail(errors.New("a\xffb")).Error)

		require.NoError(t, q.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(2 * time.Second) }))
		time.Sleep(time.Second)
		require.Contains(t, dump(t, sys), "\n  last failure: 1s ago, \"a\uFFFDb\"\n")
	}, cmwq.WithOnFailure(func(string, error) {}))
}

// A failure that is tried again is one, too; it is told of though nobody else is.
func TestSnapshotTellsWhatIsTriedAgain(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		q := queue(t, sys, "mail", cmwq.Supervise(supervisor.Retry(1, supervisor.Constant(time.Hour))))
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error { return fmt.Errorf("busy, try %d", ctx.Attempt()) }))
		synctest.Wait()
		require.Equal(t, "busy, try 1", queueOf(t, sys, "mail").LastFailure.Error)
	})
}

// Hogs are told of when they have ended, with where they were seen.
func TestSnapshotTellsHogs(t *testing.T) {
	bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
		names := []string{"first"}
		for i := range 5 {
			names = append(names, fmt.Sprintf("q%d", i))
		}
		for _, name := range names {
			q := queue(t, sys, name, cmwq.PerCPU())
			for range 3 {
				require.NoError(t, q.Go(hogItem))
				require.NoError(t, q.Go(anotherItem)) // a hog is found when work waits
				require.NoError(t, q.Flush(bg))
				synctest.Wait()
			}
		}
		snap, err := sys.Snapshot(bg)
		require.NoError(t, err)
		var told []string
		for _, h := range snap.Hogs {
			told = append(told, h.Queue)
			require.Equal(t, pkg+"hogItem", h.Func)
			require.Equal(t, "sleep", h.Where.State)
			require.Empty(t, h.Where.Stack)
		}
		// 1, 2, 4, 8 and 16 times, three on each queue.
		require.Equal(t, []string{"q4", "q1", "q0", "first"}, told)
		h := snap.Hogs[0]
		require.Equal(t, 16, h.Times)
		require.Contains(t, dump(t, sys), fmt.Sprintf("\nhog: %shogItem of queue q4, 16 times, the last that was reported %.3gs ago, blocked in sleep at %s:%d in %s",
			pkg, snap.At.Sub(h.At).Seconds(), h.Where.File, h.Where.Line, pkg+"hogItem; "+messages.SilentAdvice))
	}, noGauges(), silent(), cmwq.WithHogReport(1), cmwq.WithHogThreshold(10*time.Millisecond))
}
