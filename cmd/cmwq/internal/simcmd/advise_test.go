package simcmd_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/simcmd"
	"github.com/cmwq/cmwq/topology"
)

func advise(t *testing.T, machine, load string) *simcmd.Advice {
	t.Helper()
	top, err := topology.Parse(machine)
	require.NoError(t, err)
	l, err := simcmd.ParseLoad(load, top.NumCPU())
	require.NoError(t, err)
	a, err := simcmd.Advise(t.Context(), top, l, 1, 3000)
	require.NoError(t, err)
	return a
}

// The advice is what the published measurements would have one do: many pools where
// they are contended, one for all where few threads issue much.
func TestAdvice(t *testing.T) {
	for _, tt := range []struct{ machine, load, want string }{
		{"core:72", "nop", "cpu"},
		{"llc:4 core:3 smt:2", "crypt issuers=4", "numa"},    // there is one node: all CPUs
		{"llc:2 core:4", "issuers=1 depth=1", "cache_shard"}, // nothing to gain: the default stays
		{"core:1", "crypt", "cache_shard"},
	} {
		a := advise(t, tt.machine, tt.load)
		require.Equal(t, tt.want, a.Best.Scope, "%s, %s: %s", tt.machine, tt.load, a.Why)
		require.False(t, a.Best.Strict)
	}
}

// Data in another memory node that costs as much as the work keeps items at home.
func TestAdviceFarMemory(t *testing.T) {
	a := advise(t, "numa:2 llc:2 core:4", "issuers=8 depth=16 far=300% cold=0")
	require.NotEqual(t, "system", a.Best.Scope, a.Why)
}

// As JSON everything is there that the text says.
func TestAdviceJSON(t *testing.T) {
	a := advise(t, "llc:2 core:2", "issuers=2 depth=4 pinned burst=10us work=20us device=1ms cold=5% far=10% turn=1us smt=0.7 steal=10us migrate=0.1 move=1s")
	var b bytes.Buffer
	require.NoError(t, a.WriteJSON(&b))
	var got simcmd.Advice
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	require.Equal(t, *a, got)
	require.True(t, got.Load.Pinned)
	require.InDelta(t, 0.05, got.Load.Cold, 1e-9)
}
