package main

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
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
	"github.com/cmwq/cmwq/topology"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// quietSource sees no gauges, as if no CPU were ever idle.
type quietSource struct{ actors.Source }

func (quietSource) Gauges() policy.Gauges { return policy.Gauges{} }

// virtual measures in virtual time, where burning is sleeping without saying so.
func virtual(t *testing.T, hog time.Duration) (found *Found) {
	t.Helper()
	topo, err := topology.Uniform(1, 1, 2, 1)
	require.NoError(t, err)
	synctest.Test(t, func(t *testing.T) {
		found, err = (&lab{
			hog: hog, times: 2, jobs: 2, others: 1, burn: time.Sleep,
			options: []cmwq.Option{
				cmwq.WithPortableTick(), cmwq.WithTopology(topo), cmwq.WithMemoryPressure(false), cmwq.WithHogReport(0),
				func(o *actors.Options) error { o.Source = quietSource{actors.PortableSource()}; return nil },
			},
		}).measure(t.Context())
		require.NoError(t, err)
		time.Sleep(time.Second) // dead letters cost protoactor a goroutine for a millisecond
	})
	return found
}

// Without a scheduler in between the numbers are those of the rules alone.
func TestVirtual(t *testing.T) {
	f := virtual(t, 200*time.Millisecond)
	const hog, own = 200 * time.Millisecond, 100 * time.Millisecond
	waits := map[string]time.Duration{}
	for _, r := range f.Waits {
		waits[r.Setup] = r.Max.Truncate(time.Millisecond)
	}
	require.Equal(t, map[string]time.Duration{
		"rule off":                              hog,
		"rule off, the hog yields":              hog,
		"rule off, a second plain queue":        hog,
		"rule off, the hog sleeps 1 ms every 5": 5 * time.Millisecond,
		"rule off, an idle CPU beside":          hog, // nobody tells of idle CPUs here
		"CPUIntensive queue, rule off":          0,
		"unbound queue, rule off":               0,
		"managed queue, rule off":               0,
		"automatic rule":                        10 * time.Millisecond,
	}, waits)
	var jobs []time.Duration
	for _, r := range f.Jobs {
		jobs = append(jobs, r.Max.Truncate(time.Millisecond))
	}
	require.Equal(t, []time.Duration{own + hog, own + hog, own, own, own + rule}, jobs)
}

// All claims but the one about idle CPUs hold then, and a run in which nothing helps
// fails all that say that something does.
func TestClaims(t *testing.T) {
	f := virtual(t, 200*time.Millisecond)
	failed := func() (names []string) {
		for _, c := range report(f, claims.Machine{}).Claims {
			if !c.Holds {
				names = append(names, c.Says)
			}
		}
		return names
	}
	require.Equal(t, []string{"rule off, an idle CPU beside: does not"}, failed())
	for _, rows := range [][]Row{f.Waits, f.Jobs} {
		slow := slices.IndexFunc(rows, func(r Row) bool { return r.Waits })
		for i := range rows {
			rows[i].Median, rows[i].Of = rows[slow].Median, rows[slow].Of
		}
	}
	require.Len(t, failed(), 6+3)
	for _, rows := range [][]Row{f.Waits, f.Jobs} {
		for i := range rows {
			rows[i].Median, rows[i].Of = time.Millisecond, 0.01
		}
	}
	require.Len(t, failed(), 3+2, "nor may it be quick where the rule is off")
}

// On the real machine, whatever it is doing: who waits for the hog waits longer than who
// does not.
func TestReal(t *testing.T) {
	var out strings.Builder
	err := run(t.Context(), []string{"-json", "-hog", "300ms", "-times", "1"}, &out, io.Discard)
	if err != nil {
		require.ErrorIs(t, err, claims.ErrNotHeld) // a busy machine is no failure of this test
	}
	var got struct {
		Rows   Found
		Claims []claims.Claim
		Holds  bool
	}
	require.NoError(t, json.Unmarshal([]byte(out.String()), &got))
	require.Equal(t, err == nil, got.Holds)
	require.Len(t, got.Claims, len(setups())+len(jobs()))
	require.GreaterOrEqual(t, got.Rows.Waits[0].Median, 290*time.Millisecond)
	require.Less(t, got.Rows.Waits[5].Median, got.Rows.Waits[0].Median, "CPUIntensive")
	require.NotZero(t, got.Rows.Slice.Max)
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, run(ctx, nil, io.Discard, io.Discard), context.Canceled)
	require.Error(t, run(t.Context(), []string{"-hog", "1ms"}, io.Discard, io.Discard))
}

func TestText(t *testing.T) {
	var out strings.Builder
	require.NoError(t, report(virtual(t, 200*time.Millisecond), claims.Machine{}).Write(&out, false))
	require.Contains(t, out.String(), "rule off, the hog yields               200.0 ms  200.0 ms  1.00")
	require.Contains(t, out.String(), "15 s, 3.00")
}
