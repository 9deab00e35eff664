package cli_test

import (
	_ "embed"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

var (
	//go:embed testdata/first.json
	firstJSON string
	//go:embed testdata/second.json
	secondJSON string
)

const (
	dumpText     = "queue events: percpu\n  on pool 0: active 4/4\n    in flight: kworker/0:1 poll for 31s, hog, \"\x1b[31mred\"\n"
	sectionsText = "Affinity Scopes\n===============\n"
	whereText    = "events: kworker/0:1 app.poll for 31s, hog, running in app.poll at /src/app/poll.go:30\n"
	stacksText   = "goroutine profile: total 1\n"
)

// program is a program whose queues are as the files say: at first as in the one,
// from then on as in the other.
func program(t *testing.T) *httptest.Server {
	t.Helper()
	var asked atomic.Int64
	mux := http.NewServeMux()
	text := func(path, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			if r.URL.Query().Has("sections") {
				body := sectionsText
				_, _ = w.Write([]byte(body))
				return
			}
			_, _ = w.Write([]byte(body))
		})
	}
	text("/debug/cmwq/dump", dumpText)
	text("/debug/cmwq/stacks", stacksText)
	text("/debug/cmwq/where", whereText)
	json := func(path string, body func() string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			_, _ = w.Write([]byte(body()))
		})
	}
	json("/debug/cmwq/snapshot", func() string {
		if asked.Add(1) == 1 {
			return firstJSON
		}
		return secondJSON
	})
	json("/other/snapshot", func() string { return `{"version":"v9.1.0","queues":{"none":1}}` })
	json("/empty/snapshot", func() string { return `{"hello":"world"}` })
	mux.HandleFunc("/html/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<h1>Welcome</h1>"))
	})
	mux.HandleFunc("/secret/", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no stranger is \x1b[31manswered", http.StatusForbidden)
	})
	mux.HandleFunc("/who/", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "who are you?", http.StatusUnauthorized) })
	mux.HandleFunc("/stopped/", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "the system has stopped", http.StatusGone) })
	mux.HandleFunc("/gone/", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "stopped", http.StatusServiceUnavailable) })
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv
}
