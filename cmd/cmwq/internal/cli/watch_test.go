package cli_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/cli"
	"github.com/cmwq/cmwq/messages"
)

// A program that goes away for a while is asked on.
func TestMonitorGoesOn(t *testing.T) {
	var asked atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/snapshot") {
			http.NotFound(w, r)
			return
		}
		if asked.Add(1) == 2 {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(secondJSON))
	}))
	defer srv.Close()
	var out, stderr bytes.Buffer
	require.Zero(t, cli.Main(t.Context(), []string{"monitor", "--addr", srv.URL, "--interval", "10ms", "--count", "3"}, nil, &out, &stderr))
	require.Contains(t, stderr.String(), "503 Service Unavailable: busy; trying again")
	require.Equal(t, 2, strings.Count(out.String(), "crypt"))
}

// JSON is a queue a line, with the numbers as the program sent them, and rates as soon
// as there are any.
func TestMonitorJSON(t *testing.T) {
	srv := program(t)
	out := run(t, "monitor", "--addr", srv.URL, "--interval", "10ms", "--count", "2", "--json", "^events$")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 2)
	var first, second struct {
		At      time.Time
		Name    string
		Kind    string
		Waiting int
		Rate    *float64
		Load    *float64
		Fails   *float64 `json:"fail_rate"`
		Stats   messages.Stats
		Wait    messages.Distribution
	}
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &first))
	require.NoError(t, json.Unmarshal([]byte(lines[1]), &second))
	require.Equal(t, []any{"events", "percpu", 11}, []any{first.Name, first.Kind, first.Waiting})
	require.Nil(t, first.Rate)
	require.EqualValues(t, 500, first.Stats.Total)
	require.Equal(t, 31*time.Second, first.Wait.P99)
	require.Equal(t, 2*time.Second, second.At.Sub(first.At))
	require.InDelta(t, 1.5, *second.Rate, 1e-9)
	require.InDelta(t, 1, *second.Load, 1e-9)
	require.InDelta(t, 0.5, *second.Fails, 1e-9)
}
