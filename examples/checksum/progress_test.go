package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// half is the tally of a run that is half done.
func half() *tally {
	var t tally
	t.found.Store(200)
	t.foundBytes.Store(64 << 20)
	t.done.Store(100)
	t.doneBytes.Store(32 << 20)
	return &t
}

func TestPlainLines(t *testing.T) {
	var out bytes.Buffer
	start := time.Now()
	tally := half()
	show := plainLines(&out, tally, start)
	show(start.Add(4 * time.Second))
	tally.listed.Store(true)
	show(start.Add(8 * time.Second))
	assert.Equal(t, "checksum: 100/200+ files, 32.0 MiB of 64.0 MiB, 8.0 MiB/s, 4s left\n"+
		"checksum: 100/200 files, 32.0 MiB of 64.0 MiB, 4.0 MiB/s, 8s left\n", out.String())
}

func TestPlainLineBeforeAnythingIsDone(t *testing.T) {
	var out bytes.Buffer
	start := time.Now()
	plainLines(&out, new(tally), start)(start.Add(2 * time.Second))
	assert.Equal(t, "checksum: 0/0+ files, 0 B of 0 B, 0 B/s, unknown left\n", out.String())
}

func TestBar(t *testing.T) {
	var out bytes.Buffer
	show, end := bar(&out, new(tally))
	show(time.Now())
	end()
	assert.Empty(t, out.String(), "nothing to show yet")

	tally := half()
	show, end = bar(&out, tally)
	show(time.Now())
	drawn := out.String()
	assert.Contains(t, drawn, "100/200+ files")
	assert.Contains(t, drawn, "MiB")
	end()
	after := out.String()[len(drawn):]
	assert.NotContains(t, after, "files", "the bar is taken away")
	assert.Contains(t, after, "\033[2K\r")
}
