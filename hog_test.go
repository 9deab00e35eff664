package cmwq_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/internal/stacks"
	"github.com/cmwq/cmwq/messages"
)

// hogLine is the report of a hog that was not seen.
const hogLine = "work holds a CPU for too long, or blocks and does not say so: " + messages.UnseenAdvice

// unseen has nobody look where hogs are: in virtual time they sleep, which would show.
func unseen() cmwq.Option {
	return func(o *actors.Options) error {
		o.Profile = func(func(*stacks.Group) bool) ([]stacks.Group, error) { return nil, nil }
		return nil
	}
}

func hogItem(*cmwq.Context) error { time.Sleep(15 * time.Millisecond); return nil }

// R28, and the kernel's report sequence: for each function by itself.
func TestR28HogReports(t *testing.T) {
	for threshold, want := range map[int][]string{
		4: {"4", "5", "7", "11", "19", "35", "67"}, 1: {"1", "2", "4", "8", "16", "32", "64"}, 0: nil,
	} {
		log := &records{}
		bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
			q := queue(t, sys, "q", cmwq.PerCPU())
			hog := func(f func(*cmwq.Context) error) {
				require.NoError(t, q.Go(f))
				require.NoError(t, q.Go(anotherItem)) // a hog is found when work waits
				require.NoError(t, q.Flush(bg))
			}
			for range 70 {
				hog(hogItem)
			}
			hog(func(ctx *cmwq.Context) error { return hogItem(ctx) }) // another function: its first
			_, err := cmwq.Submit(q, func(ctx *cmwq.Context) (int, error) { return 0, hogItem(ctx) }).Wait(bg)
			require.NoError(t, err)
			st, err := q.Stats(bg)
			require.NoError(t, err)
			require.EqualValues(t, 71, st.CPUHog)
			synctest.Wait() // the log is not the pool's
			var got []string
			for _, r := range log.find(hogLine) {
				if r["func"] == "github.com/cmwq/cmwq_test.hogItem" {
					got = append(got, r["times"])
					require.Equal(t, "q", r["queue"])
					require.Equal(t, "0", r["pool"])
					require.Equal(t, "10ms", r["threshold"])
					require.Equal(t, "WARN", r["level"])
				}
			}
			require.Equal(t, want, got)
			if threshold == 1 {
				require.Len(t, log.find(hogLine), len(want)+1)
			}
		}, cmwq.WithLogger(log.logger()), cmwq.WithHogReport(threshold), noGauges(), unseen(),
			func(o *actors.Options) error { o.HogThreshold = 10 * time.Millisecond; return nil })
	}
	_, err := cmwq.New(cmwq.WithHogReport(-1))
	require.ErrorIs(t, err, cmwq.ErrOption)
}
