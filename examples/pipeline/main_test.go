package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(&out, t.TempDir()))
	require.Equal(t, "the clerk was told of 98 pages stored, 2 not\nthe file has 98 pages of 4895 words\n", out.String())
}
