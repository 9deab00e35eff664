//go:build !invariants && !race

package invariants_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/invariants"
)

func TestChecksAreFree(t *testing.T) {
	require.False(t, invariants.Enabled)
	require.NotPanics(t, func() { invariants.Check(false, "never said") })
	running := -1
	require.Zero(t, testing.AllocsPerRun(100, func() { invariants.Check(running >= 0, "running %d", running) }))
}
