package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// An outcome is what one run of the program did.
type outcome struct {
	status         int
	stdout, stderr string
}

// messages returns the lines of stderr that are not about the queues.
func (o outcome) messages() string {
	var b strings.Builder
	for line := range strings.Lines(o.stderr) {
		if strings.HasPrefix(line, "checksum: ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// checksum runs the program in the current directory.
func checksum(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := run(context.Background(), args, strings.NewReader(stdin), &stdout, &stderr)
	return outcome{status, stdout.String(), stderr.String()}
}

// makeTree makes a new directory with files the current one.
func makeTree(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for path, content := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o666))
	}
}

// sha returns the SHA-256 of content as lists have it.
func sha(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

func TestUsage(t *testing.T) {
	tests := map[string]struct {
		args   []string
		status int
		says   string
	}{
		"nothing":           {nil, exitUsage, "checksum: no path given\n"},
		"unknown algorithm": {[]string{"-algo", "md 5", "."}, exitUsage, "checksum: unknown algorithm 'md 5'\n"},
		"check and paths":   {[]string{"-check", "list", "."}, exitUsage, "checksum: -check takes neither"},
		"check and json":    {[]string{"-check", "list", "-json"}, exitUsage, "checksum: -check takes neither"},
		"unknown flag":      {[]string{"-binary"}, exitUsage, "-binary"},
		"help":              {[]string{"-h"}, exitOK, "usage: checksum"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := checksum(t, "", test.args...)
			assert.Equal(t, test.status, got.status)
			assert.Contains(t, got.stderr, test.says)
			assert.Contains(t, got.stderr, "usage: checksum")
			assert.Empty(t, got.stdout)
		})
	}
}

func TestQueueLines(t *testing.T) {
	makeTree(t, map[string]string{"a": "1", "b": "2"})
	got := checksum(t, "", ".")
	require.Equal(t, exitOK, got.status)

	lines := strings.Split(strings.TrimSpace(got.stderr), "\n")
	require.Len(t, lines, 3, got.stderr)
	assert.Equal(t, []string{"total", "infl", "CPUtime", "CPUhog", "CMW/RPR", "mayday", "rescued"},
		strings.Fields(lines[0]))
	for i, want := range []string{"read", "hash"} {
		fields := strings.Fields(lines[i+1])
		require.Len(t, fields, 8)
		assert.Equal(t, want, fields[0])
		assert.NotEqual(t, "0", fields[1], "total of %s", want)
		assert.Equal(t, "0", fields[2], "in flight of %s", want)
		assert.Equal(t, []string{"-", "-"}, fields[6:])
	}
}

func TestWriteErrorIsReported(t *testing.T) {
	makeTree(t, map[string]string{"a": "1"})
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil { // only some systems have it
		full, err = os.Open("a")
	}
	require.NoError(t, err)
	defer full.Close()
	var stderr bytes.Buffer
	assert.Equal(t, exitFailed, run(context.Background(), []string{"a"}, nil, full, &stderr))
	assert.Contains(t, stderr.String(), "checksum: write error: ")
}
