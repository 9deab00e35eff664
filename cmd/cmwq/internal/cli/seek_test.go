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

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/cmd/cmwq/internal/cli"
)

// Items that run for long, but seldom, are waited for on request.
func TestDumpSeeks(t *testing.T) {
	t.Setenv("CMWQ_ADDR", "")
	var asked atomic.Int64
	runs := cmwq.InFlight{Worker: "kworker/0:1", Func: "app.report", For: time.Second, State: "running"}
	mux := http.NewServeMux()
	answer := func(path string, what func() any) {
		mux.HandleFunc("/debug/cmwq/"+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			assertEncodes(t, json.NewEncoder(w).Encode(what()))
		})
	}
	answer("snapshot", func() any {
		q := cmwq.QueueSnapshot{Name: "reports", Kind: "managed", Stats: cmwq.Stats{Total: 10, CPUTime: 4 * time.Second}}
		if asked.Add(1)%4 == 0 {
			q.Stats.InFlight, q.Shares = 1, []cmwq.ShareSnapshot{{Pool: "0", Active: 1, InFlight: []cmwq.InFlight{runs}}}
		}
		return cmwq.Snapshot{At: time.Now(), Queues: []cmwq.QueueSnapshot{q}}
	})
	answer("where", func() any {
		return cmwq.Diagnosis{Items: []cmwq.Diagnosed{{Queue: "reports", InFlight: runs, Where: &cmwq.Where{State: "running", File: "/src/report.go", Line: 7}}}}
	})
	mux.HandleFunc("/debug/cmwq/dump", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/plain") })
	srv := httptest.NewServer(mux)
	defer srv.Close()
	dump := func(args ...string) string {
		var out, stderr bytes.Buffer
		require.Equal(t, 0, cli.Main(t.Context(), append([]string{"dump", "--addr", srv.URL}, args...), strings.NewReader(""), &out, &stderr), stderr.String())
		return out.String()
	}
	require.Equal(t, `what is wrong:
H queue reports: items have their worker for 400ms each; whether they compute or block is seen while one runs
    dump --seek 5s waits for so long until one runs
`, dump())
	require.Equal(t, `what is wrong:
H queue reports: app.report has had the CPU for 1.00s, running at report.go:7
    declare the queue CPUIntensive, or have long items call ctx.Yield
`, dump("--seek", "1m"))
	require.EqualValues(t, 4, asked.Load(), "it is told as soon as one is met")
	require.Contains(t, dump("--seek", "1ms"), "is seen while one runs")
}

func assertEncodes(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}
