package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/examples/internal/claims"
)

func TestMain(m *testing.M) {
	if how := os.Getenv(antagonistEnv); how != "" {
		antagonistMain(how)
	}
	goleak.VerifyTestMain(m)
}

// found is what a machine could have found: bound queues waited for so long beside
// antagonists.
func found(bounds time.Duration) *Found {
	f := &Found{Least: 1000}
	for _, s := range setups() {
		for _, how := range []string{none, nicest, realtime} {
			r := Row{Antagonist: how, Queue: s.name, Items: 1, Median: 30e3, P99: 40e3, Max: 50e3, Worst: 60e3}
			if s.pinned && how != none && (s.name != highpri || how == realtime) {
				r.Median, r.Max, r.Got = bounds/2, bounds, .004
			}
			f.Rows = append(f.Rows, r)
		}
	}
	return f
}

func failed(f *Found, m claims.Machine) (says []string) {
	for _, c := range report(f, m).Claims {
		if !c.Holds {
			says = append(says, c.Says)
		}
	}
	return says
}

func TestClaims(t *testing.T) {
	two := claims.Machine{CPUs: 2}
	require.Empty(t, failed(found(50*time.Millisecond), two))
	require.Len(t, report(found(time.Second), two).Claims, 7+6)
	require.Len(t, failed(found(49*time.Millisecond), two), 3+4, "980 times; one item need not wait as long")
	require.Len(t, failed(found(2*time.Millisecond), two), 4+5, "40 times")
	require.Len(t, failed(found(50*time.Microsecond), two), 6+6, "nobody waits")
	mild := found(time.Second)
	mild.row(bound, nicest).Got = .011
	require.Equal(t, []string{"nice -20: the antagonist leaves as little as the report says"}, failed(mild, two))
	require.Empty(t, report(found(time.Second), claims.Machine{CPUs: 1}).Claims)

	mild.Load = 2.5
	require.Contains(t, report(mild, two).Notes[0], "load average was 2.5")

	f := found(time.Second)
	f.Rows = f.Rows[:2*3+1] // without what takes a privilege
	f.skip(nicest, errNoPriority)
	require.Empty(t, report(f, two).Claims)
	require.Contains(t, report(f, two).Notes[0], "Skipped: nice -20: threads of this process may have no priority")
}

func TestBestRound(t *testing.T) {
	var r Row
	r.take([]time.Duration{5, 1, 9})
	r.take([]time.Duration{4, 2, 3})
	r.take([]time.Duration{7, 7, 7})
	require.Equal(t, Row{Items: 3, Median: 3, P99: 3, Max: 4, Worst: 9}, r)
}

func quick(t *testing.T, antagonists ...string) *Found {
	t.Helper()
	l := &lab{
		each: 100 * time.Millisecond, ratio: 3, antagonists: antagonists,
		options: []cmwq.Option{cmwq.WithHogReport(0), cmwq.WithLogger(slog.New(slog.DiscardHandler))},
	}
	f, err := l.measure(t.Context())
	require.NoError(t, err)
	return f
}

// A process that takes the CPU for good starves what is bound to it, and nothing else.
func TestReal(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a CPU from everybody for seconds")
	}
	f := quick(t, none, realtime)
	b, u := f.row(bound, realtime), f.row(unbound, realtime)
	if b == nil || u == nil {
		t.Skipf("this machine cannot: %v", f.Skips)
	}
	if claims.ThisMachine().CPUs < 2 {
		t.Skip("one CPU")
	}
	require.Greater(t, b.Median, 3*u.Median)
	require.Equal(t, 10, b.Items)
}

// What a machine cannot is said, and the rest is shown.
func TestWithoutPrivilege(t *testing.T) {
	f := quick(t, none, "what nobody has")
	require.NotEmpty(t, f.Rows)
	require.NotEmpty(t, f.row(unbound, none).Max)
	require.Nil(t, f.row(highpri, none))
	require.Equal(t, "what nobody has", f.Skips[0].What)
	var out strings.Builder
	require.NoError(t, claims.Finish(report(f, claims.ThisMachine()), &out, true))
	var got claims.Report
	require.NoError(t, json.Unmarshal([]byte(out.String()), &got))
	require.True(t, got.Holds)
	require.Contains(t, got.Notes[0], "what nobody has")
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, run(ctx, nil, io.Discard, io.Discard), context.Canceled)
	for _, args := range [][]string{{"-each", "1ms"}, {"-each", "1m"}, {"-no"}} {
		require.Error(t, run(t.Context(), args, io.Discard, io.Discard))
	}
}
