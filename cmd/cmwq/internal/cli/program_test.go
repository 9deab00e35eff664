package cli_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/cmd/cmwq/internal/client"
	"github.com/cmwq/cmwq/observe"
)

// stuck is an item that waits for the test.
func stuck(open chan struct{}) func(*cmwq.Context) error {
	return func(*cmwq.Context) error { <-open; return nil }
}

// A real program with the real handler, mounted as the hints say: every command that
// asks a program works with it.
func TestAProgram(t *testing.T) {
	sys, err := cmwq.New()
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle("/debug/cmwq/", observe.Handler(sys, observe.Stacks()))
	srv := httptest.NewServer(mux)
	open := make(chan struct{})
	t.Cleanup(func() {
		close(open)
		srv.Close()
		require.NoError(t, sys.Stop(context.Background()))
	})
	q, err := sys.NewQueue("orders", cmwq.Ordered())
	require.NoError(t, err)
	begun := make(chan struct{})
	require.NoError(t, q.Go(func(ctx *cmwq.Context) error { close(begun); return stuck(open)(ctx) }))
	require.NoError(t, q.Go(stuck(open)))
	<-begun
	t.Setenv("CMWQ_ADDR", srv.URL)

	require.Contains(t, run(t, "dump"), "queue orders: ordered")
	require.Contains(t, run(t, "dump", "--sections"), "orders")
	require.Contains(t, run(t, "dump", "--where"), "orders: kworker/")
	var placed cmwq.Diagnosis
	require.NoError(t, json.Unmarshal([]byte(run(t, "dump", "--where", "--json")), &placed))
	require.NotEmpty(t, placed.Items)
	var snap cmwq.Snapshot
	require.NoError(t, json.Unmarshal([]byte(run(t, "dump", "--json")), &snap))
	require.False(t, snap.At.IsZero())

	table := run(t, "monitor", "--count", "2", "--interval", "10ms", "--columns", "total,infl,wait", "^ord")
	require.Equal(t, 2, strings.Count(table, "orders"))
	require.Regexp(t, `orders +1 +1 +1\n`, table)
	require.Contains(t, run(t, "__completeNoDesc", "monitor", "or"), "orders\n")

	c, err := client.New(srv.URL)
	require.NoError(t, err)
	stacks, err := c.Stacks(t.Context())
	require.NoError(t, err)
	require.Contains(t, stacks, "goroutine profile")
	where, err := c.Where(t.Context())
	require.NoError(t, err)
	require.Len(t, where.Items, 1)
	require.Equal(t, "orders", where.Items[0].Queue)
}
