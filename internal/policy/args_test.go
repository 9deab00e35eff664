package policy

import (
	"strconv"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"
)

// Arguments of commands. A time without a unit is in milliseconds.

func arg(d *datadriven.TestData, key string) (value string, ok bool) {
	for _, a := range d.CmdArgs {
		if a.Key == key && len(a.Vals) == 1 {
			return a.Vals[0], true
		}
	}
	return "", false
}

// count is a number, 0 if it is not given.
func count(t *testing.T, d *datadriven.TestData, key string) int {
	t.Helper()
	if v, ok := arg(d, key); ok {
		return integer(t, v)
	}
	return 0
}

// optional is a time, 0 if it is not given.
func optional(t *testing.T, d *datadriven.TestData, key string) time.Duration {
	t.Helper()
	if v, ok := arg(d, key); ok {
		return span(t, v)
	}
	return 0
}

func integer(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

func span(t *testing.T, text string) time.Duration {
	t.Helper()
	if ms, err := strconv.ParseFloat(text, 64); err == nil {
		return time.Duration(ms * float64(time.Millisecond))
	}
	d, err := time.ParseDuration(text)
	require.NoError(t, err)
	return d
}
