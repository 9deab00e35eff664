package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readFunc is a reader whose reads do what a test wants.
type readFunc func(p []byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

func TestInterruptedMidway(t *testing.T) {
	makeTree(t, odd)
	ctx, interrupt := context.WithCancel(context.Background())
	endless := readFunc(func(p []byte) (int, error) {
		interrupt()
		return len(p), nil
	})
	var stdout, stderr bytes.Buffer
	status := run(ctx, []string{"odd", "-"}, endless, &stdout, &stderr)
	assert.Equal(t, exitInterrupted, status)
	assert.Regexp(t, `checksum: interrupted: \d+ files done, [1-9]\d* found and not done`, stderr.String())
	assert.NotContains(t, stdout.String(), "  -\n", "no sum of half a file")
	assert.Contains(t, stderr.String(), "\nread ")
}

func TestInterruptedBeforeTheStart(t *testing.T) {
	makeTree(t, odd)
	ctx, interrupt := context.WithCancel(context.Background())
	interrupt()
	var stdout, stderr bytes.Buffer
	assert.Equal(t, exitInterrupted, run(ctx, []string{"odd"}, nil, &stdout, &stderr))
	assert.Contains(t, stderr.String(), "checksum: interrupted: 0 files done, 0 found and not done, more not looked for\n")
	assert.Empty(t, stdout.String())
}

func TestInterruptDoesNotWaitForAReadThatHangs(t *testing.T) {
	makeTree(t, map[string]string{"a": "1"})
	ctx, interrupt := context.WithCancel(context.Background())
	release := make(chan struct{})
	hangs := readFunc(func([]byte) (int, error) {
		interrupt()
		<-release
		return 0, io.EOF
	})
	var stdout, stderr bytes.Buffer
	start := time.Now()
	status := run(ctx, []string{"-"}, hangs, &stdout, &stderr)
	took := time.Since(start)
	close(release)
	assert.Equal(t, exitInterrupted, status)
	assert.Contains(t, stderr.String(), "checksum: interrupted: 0 files done, 1 found and not done\n")
	assert.Contains(t, stderr.String(), "\nread ")
	assert.GreaterOrEqual(t, took, grace)
	assert.Less(t, took, 10*time.Second)
}

func TestInterruptAfterTheLastFileChangesNothing(t *testing.T) {
	makeTree(t, map[string]string{"a": "1"})
	ctx, interrupt := context.WithCancel(context.Background())
	var stderr bytes.Buffer
	stdout := writeFunc(func(p []byte) (int, error) { interrupt(); return len(p), nil })
	assert.Equal(t, exitOK, run(ctx, []string{"a"}, nil, stdout, &stderr))
	assert.NotContains(t, stderr.String(), "interrupted")
}

func TestPanicIsReported(t *testing.T) {
	j := newJob(t.Context(), sha256.New, func(string) (io.ReadCloser, error) { panic("at the disk") })
	lines, err := j.run(listed(file{path: "a"}))
	require.ErrorContains(t, err, "at the disk")
	var stdout, stderr bytes.Buffer
	assert.Equal(t, exitFailed, reportSums(&stdout, &stderr, j, &config{algo: algorithms[0]}, lines, err))
	assert.Contains(t, stderr.String(), "checksum: read: ")
	assert.Contains(t, stderr.String(), "checksum: incomplete: 0 files done, 1 found and not done\n")
}

type writeFunc func(p []byte) (int, error)

func (f writeFunc) Write(p []byte) (int, error) { return f(p) }
