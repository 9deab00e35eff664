package main

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/examples/internal/claims"
	_ "github.com/cmwq/cmwq/internal/short"
	"github.com/cmwq/cmwq/topology"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// on measures for a moment with the CPUs of another machine.
func on(t *testing.T, machine string) *Found {
	t.Helper()
	topo, err := topology.Parse(machine)
	require.NoError(t, err)
	f, err := measure(t.Context(), time.Millisecond, 1, cmwq.WithTopology(topo))
	require.NoError(t, err)
	return f
}

func failed(f *Found) (says []string) {
	for _, c := range report(f, claims.Machine{}).Claims {
		if !c.Holds {
			says = append(says, c.Says)
		}
	}
	return says
}

// even makes all rates the same: what a moment on a busy machine measures is not.
func even(f *Found) *Found {
	for i := range f.Rows {
		f.Rows[i].Rate = 1000
	}
	return f
}

// Pods are those of the machine that is asked for, scopes that are the same there are
// compared, and the books are right.
func TestMachines(t *testing.T) {
	for machine, want := range map[string]struct {
		pods   []int // by scope
		alike  []int
		crowds []int
	}{
		"numa:1 llc:1 core:2 smt:1": {[]int{2, 2, 1, 1, 1, 1}, []int{0, 0, 2, 2, 2, 2}, []int{2, 1}},
		"numa:2 llc:1 core:2 smt:2": {[]int{8, 4, 2, 2, 2, 1}, []int{0, 1, 2, 2, 2, 5}, []int{8, 2, 1}},
		"numa:1 llc:1 core:1 smt:1": {[]int{1, 1, 1, 1, 1, 1}, []int{0, 0, 0, 0, 0, 0}, []int{1}},
	} {
		t.Run(machine, func(t *testing.T) {
			f := on(t, machine)
			require.Len(t, f.Rows, len(want.crowds)*2*len(scopes))
			for i, r := range f.Rows {
				s := i / 2 % len(scopes)
				require.Equal(t, want.pods[s], r.Pods, r.name())
				require.Equal(t, want.alike[s], r.Alike, r.name())
				require.Equal(t, want.crowds[i/2/len(scopes)], r.Issuers)
				require.Positive(t, r.Pools)
				require.LessOrEqual(t, r.Pools, r.Pods, r.name())
				require.Equal(t, r.Queued, r.Hashed)
				require.Zero(t, r.Wrong)
			}
			require.Empty(t, failed(even(f)))
		})
	}
}

func TestClaims(t *testing.T) {
	f := even(on(t, "numa:1 llc:1 core:2 smt:1"))
	f.Rows[7].Rate = 400 // cache strict, two issuers
	require.Equal(t, []string{"issuers: 2, the same pods: cache_shard, cache, numa, system are equally fast"}, failed(f))
	f.Rows[7].Rate, f.Rows[0].Rate, f.Rows[1].Rate, f.Rows[2].Rate, f.Rows[3].Rate = 1000, 400, 400, 400, 400
	require.Empty(t, failed(f), "single CPUs are not the same as a cache")
	f.Rows[3].Wrong = 1
	f.Rows[5].Pools = 2
	require.Equal(t, []string{"each block is hashed once, and rightly", "no queue uses more pools than its scope has pods"}, failed(f))
}

// A block that is not what was written is noticed.
func TestWrongHash(t *testing.T) {
	sys, err := cmwq.New()
	require.NoError(t, err)
	defer func() { require.NoError(t, sys.Stop(context.Background())) }()
	is := newIssuer(newTexts())
	is.texts.sum[1][0]++
	q, err := sys.NewQueue("q")
	require.NoError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 3 { // blocks are taken in turn, and each first has the text with the wrong hash
		_, err = is.issue(ended, q)
		require.NoError(t, err)
	}
	require.GreaterOrEqual(t, is.hashed.Load(), int64(3))
	require.Equal(t, is.hashed.Load(), is.wrong.Load())
}

func TestReal(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		var out strings.Builder
		args := []string{"-time", "2ms", "-rounds", "1"}
		if asJSON {
			args = append(args, "-json")
		}
		err := run(t.Context(), args, &out, io.Discard)
		if err != nil {
			require.ErrorIs(t, err, claims.ErrNotHeld) // a busy machine is no failure of this test
		}
		if !asJSON {
			require.Contains(t, out.String(), "Topology: ")
			continue
		}
		var got struct {
			Rows  Found
			Holds bool
		}
		require.NoError(t, json.Unmarshal([]byte(out.String()), &got))
		require.Equal(t, err == nil, got.Holds)
		require.Empty(t, failed(even(&got.Rows)))
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, run(ctx, nil, io.Discard, io.Discard), context.Canceled)
	require.Error(t, run(t.Context(), []string{"-rounds", "0"}, io.Discard, io.Discard))
}
