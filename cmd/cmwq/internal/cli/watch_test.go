package cli_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/cli"
)

// A program that goes away for a while is asked on.
func TestMonitorGoesOn(t *testing.T) {
	var asked atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
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
