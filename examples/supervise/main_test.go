package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOutput(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(&out))
	require.Equal(t, `to ann, attempt 1: the van is full
to ann, attempt 2: the van is full
to ann, attempt 3: delivered
to bob, attempt 1: no such street
dead letter 1 of office/mail to bob: no such street
to bob, attempt 1: delivered
to cid, attempt 1: the franking machine is jammed
the office hears: cmwq: queue office/mail escalates: the franking machine is jammed
the office mends it, and restarts the queue
to dan, attempt 1: delivered
to eve, attempt 1: delivered
8 executions: 2 tried again, 2 failed, 1 of them a dead letter
`, out.String())
}
