package observe_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe"
)

func start(t testing.TB, opts ...cmwq.Option) *cmwq.System {
	t.Helper()
	sys, err := cmwq.New(opts...)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := sys.Stop(ctx); err != nil {
			require.ErrorIs(t, err, cmwq.ErrStopped)
		}
	})
	return sys
}

func queue(t testing.TB, sys *cmwq.System, name string, opts ...cmwq.QueueOption) *cmwq.Queue {
	t.Helper()
	q, err := sys.NewQueue(name, opts...)
	require.NoError(t, err)
	return q
}

// request is one of a browser on this machine.
func request(method, path string, header ...string) *http.Request {
	r := httptest.NewRequestWithContext(context.Background(), method, "http://localhost:6070"+path, nil)
	r.RemoteAddr = "127.0.0.1:50000"
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r
}

func serve(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// blocked queues an item that runs until the test ends, and two that wait for it.
func blocked(t testing.TB, sys *cmwq.System, name string) *cmwq.Queue {
	t.Helper()
	q := queue(t, sys, name, cmwq.Ordered())
	entered, open := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(open) })
	require.NoError(t, q.Go(func(*cmwq.Context) error { close(entered); <-open; return nil }))
	for range 2 {
		require.NoError(t, q.Go(func(*cmwq.Context) error { return nil }))
	}
	<-entered
	return q
}

func TestWhatIsBelowThePrefix(t *testing.T) {
	sys := start(t)
	blocked(t, sys, "mail")
	metrics := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "cmwq_up 1\n") })
	h := observe.Handler(sys, observe.Metrics(metrics), observe.Stacks())
	for _, prefix := range []string{"/", "/debug/cmwq/", "/a/b/c/", "/queues/x/"} {
		for path, want := range map[string]struct{ kind, text string }{
			"":              {"text/html; charset=utf-8", "<!doctype html>"},
			"snapshot":      {"application/json", `"name":"mail"`},
			"dump":          {"text/plain; charset=utf-8", "queue mail: ordered"},
			"dump?sections": {"text/plain; charset=utf-8", "Affinity scopes"},
			"monitor":       {"text/plain; charset=utf-8", "CMW/RPR"},
			"where":         {"text/plain; charset=utf-8", "mail: kworker/"},
			"where?json":    {"application/json", `"queue":"mail"`},
			"stacks":        {"text/plain; charset=utf-8", "goroutine profile"},
			"metrics":       {"", "cmwq_up 1"},
			"page.js":       {"text/javascript; charset=utf-8", "EventSource"},
			"page.css":      {"text/css; charset=utf-8", "prefers-color-scheme"},
			"icon.svg":      {"image/svg+xml", "<svg"},
		} {
			w := serve(h, request("GET", prefix+path))
			require.Equal(t, 200, w.Code, prefix+path)
			require.Contains(t, w.Body.String(), want.text, prefix+path)
			if want.kind != "" {
				require.Equal(t, want.kind, w.Header().Get("Content-Type"))
			}
		}
		for _, path := range []string{"nothing", "page.html", "handler.go", "..%2fhandler.go", "..%5cx.js"} {
			require.Equal(t, 404, serve(h, request("GET", prefix+path)).Code, path)
		}
	}
}

func TestMonitor(t *testing.T) {
	sys := start(t)
	blocked(t, sys, "mail")
	queue(t, sys, "idle")
	h := observe.Handler(sys)
	table := func(query string) string {
		w := serve(h, request("GET", "/monitor?"+query))
		require.Equal(t, 200, w.Code, w.Body)
		return w.Body.String()
	}
	require.Regexp(t, `(?m)^idle +0 .*\nmail +1 +1 `, table(""))
	require.NotContains(t, table("filter=^m"), "idle")
	require.Contains(t, table("filter=^m&filter=^i"), "idle")
	require.Regexp(t, `(?m)^mail +0 +1 `, table("interval=1ms"), "since then")
	for _, query := range []string{"filter=(", "interval=x", "interval=-1s", "interval=2h"} {
		require.Equal(t, 400, serve(h, request("GET", "/monitor?"+query)).Code, query)
	}
}

func TestSnapshotIsTheSystems(t *testing.T) {
	sys := start(t)
	blocked(t, sys, "mail")
	w := serve(observe.Handler(sys), request("GET", "/snapshot?pretty"))
	var got cmwq.Snapshot
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &got))
	require.Len(t, got.Queues, 1)
	require.Equal(t, 2, got.Queues[0].Shares[0].Inactive)
	require.Contains(t, w.Body.String(), "\n  ", "it is indented")
}

// A prefix may be stripped or not; without its slash the links of the page would lead
// elsewhere.
func TestMounted(t *testing.T) {
	h := observe.Handler(start(t))
	mux := http.NewServeMux()
	mux.Handle("/debug/cmwq/", h)
	mux.Handle("/stripped/", http.StripPrefix("/stripped", h))
	mux.Handle("/bare", http.StripPrefix("/bare", h))
	for _, path := range []string{"/debug/cmwq/", "/debug/cmwq/dump", "/stripped/", "/stripped/dump"} {
		require.Equal(t, 200, serve(mux, request("GET", path)).Code, path)
	}
	for _, path := range []string{"/debug/cmwq", "/bare?x=1"} {
		w := serve(mux, request("GET", path))
		require.Contains(t, []int{301, 307}, w.Code, path)
		require.True(t, strings.HasSuffix(strings.SplitN(w.Header().Get("Location"), "?", 2)[0], path[:5]+"/") ||
			w.Header().Get("Location") == "/debug/cmwq/", w.Header().Get("Location"))
	}
}

func TestNotEnabled(t *testing.T) {
	h := observe.Handler(start(t))
	for path, hint := range map[string]string{"/metrics": "observe.Metrics", "/stacks": "observe.Stacks"} {
		w := serve(h, request("GET", path))
		require.Equal(t, 404, w.Code)
		require.Contains(t, w.Body.String(), hint)
	}
	page := serve(h, request("GET", "/")).Body.String()
	require.NotContains(t, page, `href="metrics"`)
	require.NotContains(t, page, `href="stacks"`)
	require.Contains(t, page, `name="token" content=""`, "there is no token where there are no controls")
	for _, method := range []string{"POST", "PUT", "DELETE"} {
		require.Equal(t, 405, serve(h, request(method, "/snapshot")).Code)
	}
}

func TestAStoppedSystem(t *testing.T) {
	sys := start(t)
	h := observe.Handler(sys)
	require.NoError(t, sys.Stop(context.Background()))
	for _, path := range []string{"/snapshot", "/dump"} {
		require.Equal(t, 410, serve(h, request("GET", path)).Code, path)
	}
	require.Equal(t, 200, serve(h, request("GET", "/")).Code, "the page says so itself")
	require.Contains(t, serve(h, request("GET", "/events")).Body.String(), "event: gone\n")
}
