package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOutput(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, run(&b))
	require.Equal(t, `ann: draft 1 to mum
ann: draft 2 to mum
bob/jobs ended: 1 told to end, 3 never begun
bob: draft 1 to the tax office: cmwq: queue is destroyed: its time to shut down was over
ann: draft 1 to dad
`, b.String())
}
