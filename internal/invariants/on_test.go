//go:build invariants || race

package invariants_test

import (
	"os"
	"os/exec"
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

// The test runs itself again, to see it crash where a panic would be recovered.
func TestCrashIsNotRecovered(t *testing.T) {
	if os.Getenv("CRASH") != "" {
		defer func() { _ = recover() }()
		invariants.Crash("of the test")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestCrashIsNotRecovered$")
	cmd.Env = append(os.Environ(), "CRASH=1")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "panic: of the test")
	require.Contains(t, string(out), "TestCrashIsNotRecovered", "it says where")
}
