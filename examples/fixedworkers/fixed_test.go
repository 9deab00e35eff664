package main

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/examples/internal/claims"
	"github.com/cmwq/cmwq/internal/policy"
	_ "github.com/cmwq/cmwq/internal/short"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// quietSource sees no gauges: those of the real process say nothing of virtual time.
type quietSource struct{ actors.Source }

func (quietSource) Gauges() policy.Gauges { return policy.Gauges{} }

// In virtual time it is exact what a batch takes in which each third item sleeps: all
// thirty-four at once, one after the other, or three at a time.
func TestSleepers(t *testing.T) {
	opts := []cmwq.Option{
		cmwq.WithPortableTick(), cmwq.WithMemoryPressure(false),
		func(o *actors.Options) error { o.Source = quietSource{actors.PortableSource()}; return nil },
	}
	all := contenders()
	all[0].open, all[1].open = normal(opts...), fixed(opts...)
	sleepers := loads(100_000)[3]
	require.Equal(t, 200, sleepers.items)
	for i, want := range []time.Duration{2 * 1, 2 * 34, 2 * 12, 2 * 34} {
		synctest.Test(t, func(t *testing.T) {
			took, err := once(t.Context(), sleepers, all[i])
			require.NoError(t, err)
			require.Equal(t, want*time.Millisecond, took.Truncate(time.Millisecond), all[i].name)
			time.Sleep(time.Second) // dead letters cost protoactor a goroutine for a millisecond
		})
	}
}

// Each item of each batch is done once, whoever does it.
func TestEachItemOnce(t *testing.T) {
	for _, c := range contenders() {
		t.Run(c.name, func(t *testing.T) {
			var did [batchSize]atomic.Int32
			count := load{name: "count", items: 20 * batchSize, do: func(i int, _ func(time.Duration)) { did[i].Add(1) }}
			_, err := once(t.Context(), count, c)
			require.NoError(t, err)
			for i := range did {
				require.EqualValues(t, 20+3, did[i].Load(), "item %d", i)
			}
		})
	}
}

func TestReal(t *testing.T) {
	var out strings.Builder
	err := run(t.Context(), []string{"-json", "-items", "100000", "-runs", "1"}, &out, io.Discard)
	if err != nil {
		require.ErrorIs(t, err, claims.ErrNotHeld) // a busy machine is no failure of this test
	}
	var got struct {
		Rows   []Row
		Claims []claims.Claim
		Holds  bool
	}
	require.NoError(t, json.Unmarshal([]byte(out.String()), &got))
	require.Equal(t, err == nil, got.Holds)
	require.Len(t, got.Rows, 4*4)
	for _, r := range got.Rows {
		require.Positive(t, r.Rate)
	}
	if got.Holds { // TestSleepers is exact about it
		require.Less(t, got.Rows[13].Rate, got.Rows[12].Rate, "fixed workers lose where items sleep")
	}
}

func rows(fixedAsleep, cpus, unequalRatio, unequalLists float64) (rows []Row) {
	for _, l := range loads(1_000_000) {
		for i, c := range contenders() {
			r := Row{Load: l.name, Workers: c.name, Items: l.items, Took: []time.Duration{time.Second}, Rate: 1000}
			switch {
			case l.name == empty && i == 3:
				r.Rate = 1600
			case l.name == equal:
				r.Burn = time.Duration(cpus * float64(time.Second))
			case l.name == unequal && i == 1:
				r.Rate *= unequalRatio
			case l.name == unequal && i == 3:
				r.Rate *= unequalLists
			case l.name == asleep && i == 1:
				r.Rate *= fixedAsleep
			}
			rows = append(rows, r)
		}
	}
	return rows
}

func TestClaims(t *testing.T) {
	judge := func(r *claims.Report) (bool, int) { return r.Judge(), len(r.Claims) }
	for _, tt := range []struct {
		asleep, cpus, unequal, lists float64
		holds                        bool
		claims                       int
	}{
		{0.1, 1.9, 0.6, 0.6, true, 5},
		{0.1, 1.0, 1.0, 1.0, true, 3}, // one CPU's worth: nothing to lose
		{0.1, 1.9, 0.95, 0.6, false, 5},
		{0.1, 1.9, 0.6, 0.9, false, 5},
		{0.6, 1.9, 0.6, 0.6, false, 5},
	} {
		holds, n := judge(report(rows(tt.asleep, tt.cpus, tt.unequal, tt.lists), claims.Machine{}))
		require.Equal(t, tt.holds, holds, tt)
		require.Equal(t, tt.claims, n, tt)
	}
	slow := rows(0.1, 1.9, 0.6, 0.6)
	slow[0].Rate = 700
	require.False(t, report(slow, claims.Machine{}).Judge(), "normal workers would need lists of their own")
	slow[0].Rate, slow[3].Rate = 1000, 1100
	require.False(t, report(slow, claims.Machine{}).Judge(), "lists would not be as published")
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, run(ctx, nil, io.Discard, io.Discard), context.Canceled)
	require.Error(t, run(t.Context(), []string{"-items", "1"}, io.Discard, io.Discard))
}
