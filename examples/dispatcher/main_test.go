package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(&out))
	require.Equal(t, "200 orders packed, 199 mails sent, 1 returned\nat most 8 at the disk: true\n", out.String())
}
