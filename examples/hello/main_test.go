package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadme: the program in the README is this one, and it does what it says.
func TestReadme(t *testing.T) {
	program, err := os.ReadFile("main.go")
	require.NoError(t, err)
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(readme), "```go\n")
	require.True(t, found)
	shown, _, _ := strings.Cut(rest, "```")
	require.Equal(t, string(program), shown)

	out, err := exec.Command("go", "run", ".").CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "hello\n", string(out))
}
