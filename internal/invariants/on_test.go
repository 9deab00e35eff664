//go:build invariants || race

package invariants_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/invariants"
)

func TestChecksAreOn(t *testing.T) {
	t.Parallel()
	require.True(t, invariants.Enabled)
	require.NotPanics(t, func() { invariants.Check(true, "never said") })
	require.PanicsWithValue(t, "invariant broken: running -1", func() { invariants.Check(false, "running %d", -1) })
}
