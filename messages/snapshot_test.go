package messages_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/messages"
)

// A pool may have very many idle workers: those that it takes first are named.
func TestDumpNamesFewIdleWorkers(t *testing.T) {
	p := messages.PoolSnapshot{Name: "0", Kind: "percpu", Waiting: 1}
	for i := range 100 {
		p.Idle = append(p.Idle, fmt.Sprintf("kworker/0:%d", i))
	}
	var b strings.Builder
	_, err := (&messages.Snapshot{Pools: []messages.PoolSnapshot{p}}).WriteTo(&b)
	require.NoError(t, err)
	require.Contains(t, b.String(), "idle: kworker/0:84 kworker/0:85 ")
	require.Contains(t, b.String(), " kworker/0:99 and 84 more\n")
}
