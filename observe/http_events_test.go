package observe_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe"
)

// shownFrame is what tests read of an event.
type shownFrame struct {
	At     int64
	Sum    struct{ Queues, Waiting int }
	Alerts []struct{ Level, Text, Queue string }
	Queues []struct {
		Key, Shown, Kind, Level string
		Waiting                 int
		Flags                   []string
	}
	QueuesCut int `json:"queues_cut"`
	Pools     []struct{ Name string }
	Detail    *struct {
		Queue    string
		InFlight []struct{ State, Func string } `json:"in_flight"`
		Held     []struct{ N int }
	}
}

// viewer reads events of a server.
type viewer struct {
	t    testing.TB
	body io.ReadCloser
	scan *bufio.Scanner
}

// listen serves h until the test's viewers have gone.
func listen(t testing.TB, h http.Handler) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv
}

func watch(t testing.TB, srv *httptest.Server, query url.Values) *viewer {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, srv.URL+"/events?"+query.Encode(), nil)
	require.NoError(t, err)
	resp, err := srv.Client().Do(req)
	require.NoError(t, err)
	require.Equal(t, 200, resp.StatusCode)
	require.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
	v := &viewer{t, resp.Body, bufio.NewScanner(resp.Body)}
	v.scan.Buffer(nil, 1<<20)
	t.Cleanup(func() { _ = v.body.Close() })
	return v
}

// next gives the next event and its data; "" at the end of the stream.
func (v *viewer) next() (event, data string) {
	for v.scan.Scan() {
		switch line := v.scan.Text(); {
		case strings.HasPrefix(line, "event: "):
			event = line[7:]
		case strings.HasPrefix(line, "data: "):
			data = line[6:]
		case line == "":
			return event, data
		}
	}
	return "", ""
}

func (v *viewer) frame() (f shownFrame) {
	v.t.Helper()
	event, data := v.next()
	require.Equal(v.t, "frame", event)
	require.NoError(v.t, json.Unmarshal([]byte(data), &f))
	return f
}

func TestEventsTellOfQueues(t *testing.T) {
	sys := start(t)
	srv := listen(t, observe.Handler(sys, observe.StuckAfter(time.Millisecond)))
	blocked(t, sys, "mail")
	queue(t, sys, "idle")
	v := watch(t, srv, url.Values{"interval": {"250ms"}, "queue": {"mail"}})
	f := v.frame()
	for f.Sum.Waiting != 2 || len(f.Alerts) == 0 || !strings.Contains(f.Alerts[0].Text, " at ") { // it is young
		f = v.frame()
	}
	require.Equal(t, 2, f.Sum.Queues)
	require.Equal(t, "mail", f.Queues[0].Key, "trouble comes first")
	require.Equal(t, "stuck", f.Queues[0].Level)
	require.Equal(t, 2, f.Queues[0].Waiting)
	require.Regexp(t, `^Queue mail: 2 items wait for a slot of max_active 1, nothing started for .* kworker/.* blocks in observe_test.blocked.func\d for .*: chan receive at handler_test.go:\d+\.$`, f.Alerts[0].Text)
	require.Equal(t, "mail", f.Detail.Queue)
	require.Len(t, f.Detail.InFlight, 1)
	require.Equal(t, 2, f.Detail.Held[0].N)
	require.Greater(t, v.frame().At, f.At)

	v = watch(t, srv, url.Values{"q": {"IDL"}})
	f = v.frame()
	require.Len(t, f.Queues, 1)
	require.Equal(t, "idle", f.Queues[0].Key)
}

func TestEventsEndWithTheSystem(t *testing.T) {
	sys := start(t)
	srv := listen(t, observe.Handler(sys))
	v := watch(t, srv, url.Values{"interval": {"250ms"}})
	v.frame()
	require.NoError(t, sys.Stop(context.Background()))
	event, _ := v.next()
	for event == "frame" {
		event, _ = v.next()
	}
	require.Equal(t, "gone", event)
	event, _ = v.next()
	require.Empty(t, event)
}

// Shutdown of the server does not wait for viewers to go.
func TestEventsEndWithTheServer(t *testing.T) {
	srv := listen(t, observe.Handler(start(t)))
	v := watch(t, srv, url.Values{"interval": {"1m"}})
	v.frame()
	require.NoError(t, srv.Config.Shutdown(t.Context()))
}

func TestTooManyViewers(t *testing.T) {
	srv := listen(t, observe.Handler(start(t)))
	for range 64 {
		watch(t, srv, url.Values{"interval": {"1m"}}).frame()
	}
	resp, err := srv.Client().Get(srv.URL + "/events")
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, 503, resp.StatusCode)
}

// A viewer that takes nothing is let go, so that it holds no place for ever.
func TestASlowViewerIsLetGo(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for five seconds of a real connection")
	}
	t.Parallel()
	sys := start(t)
	for i := range 200 { // an event is larger than what a connection holds by itself
		queue(t, sys, strings.Repeat("x", 1000)+string(rune('a'+i)))
	}
	ended := make(chan struct{})
	h := observe.Handler(sys)
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(w, r); close(ended) }))
	srv.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		_ = c.(*net.TCPConn).SetWriteBuffer(4 << 10)
		return ctx
	}
	srv.Start()
	defer srv.Close()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", srv.Listener.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	_ = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	_, err = io.WriteString(conn, "GET /events?interval=250ms HTTP/1.1\r\nHost: localhost\r\n\r\n")
	require.NoError(t, err)
	<-ended
}

// However many queues there are, and however long their names are, an event is bounded,
// and says what it leaves out.
func TestAnEventIsBounded(t *testing.T) {
	sys := start(t)
	for i := range 1000 {
		queue(t, sys, strings.Repeat("n", 10_000)+"/"+string(rune('A'+i)), cmwq.Ordered())
	}
	srv := listen(t, observe.Handler(sys))
	v := watch(t, srv, nil)
	_, data := v.next()
	require.Less(t, len(data), 60_000)
	var f shownFrame
	require.NoError(t, json.Unmarshal([]byte(data), &f))
	require.Len(t, f.Queues, 100)
	require.Equal(t, 900, f.QueuesCut)
	require.Equal(t, 1000, f.Sum.Queues)
	require.Len(t, []rune(f.Queues[0].Shown), 65)
	key := f.Queues[7].Key
	f = watch(t, srv, url.Values{"queue": {key}}).frame()
	require.NotNil(t, f.Detail, "its key finds it, whatever its name")
	require.Equal(t, key, f.Detail.Queue)
}
