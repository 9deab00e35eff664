package observe_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe"
)

// tokenOf reads the token that the page carries.
func tokenOf(t testing.TB, h http.Handler) string {
	t.Helper()
	m := regexp.MustCompile(`name="token" content="([^"]+)"`).FindStringSubmatch(serve(h, request("GET", "/")).Body.String())
	require.NotNil(t, m)
	return m[1]
}

// press is a request of the page to change something.
func press(path, token string, header ...string) *http.Request {
	return request("POST", path, append([]string{"X-Cmwq-Token", token, "Sec-Fetch-Site", "same-origin"}, header...)...)
}

func TestControls(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "mail/eu")
	var log bytes.Buffer
	h := observe.Handler(sys, observe.Controls(), observe.HandlerLog(slog.New(slog.NewTextHandler(&log, nil))))
	token := tokenOf(t, h)
	const at = "/debug/queues/mail%2Feu/"

	require.Equal(t, 200, serve(h, press(at+"pause", token)).Code)
	require.True(t, q.Paused())
	require.Contains(t, log.String(), `queue=mail/eu action=pause`)
	require.Equal(t, 200, serve(h, press(at+"resume", token)).Code)
	require.False(t, q.Paused())
	require.Equal(t, 200, serve(h, press(at+"max_active?n=7", token)).Code)
	st, err := q.Stats(context.Background())
	require.NoError(t, err)
	require.Equal(t, 7, st.MaxActive)

	for path, want := range map[string]int{
		at + "max_active": 400, at + "max_active?n=0": 400, at + "max_active?n=x": 400, at + "destroy": 404,
		"/queues/none/pause": 404, "/queues/cmwq/pause": 404,
	} {
		require.Equal(t, want, serve(h, press(path, token)).Code, path)
	}
	ordered := queue(t, sys, "ordered", cmwq.Ordered())
	w := serve(h, press("/queues/ordered/max_active?n=2", token))
	require.Equal(t, 409, w.Code)
	require.Contains(t, w.Body.String(), "ordered queue")
	require.False(t, ordered.Paused())
}

// A pause that has to wait for what is active says so, and does not wait long.
func TestPauseOfABusyQueue(t *testing.T) {
	sys := start(t)
	q := blocked(t, sys, "mail")
	h := observe.Handler(sys, observe.Controls())
	w := serve(h, press("/queues/mail/pause", tokenOf(t, h)))
	require.Equal(t, 200, w.Code)
	require.Contains(t, w.Body.String(), "what is active goes on")
	require.True(t, q.Paused())
	require.NoError(t, q.Resume())
}

func TestControlsAreRefused(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "mail")
	reads := observe.Handler(sys)
	w := serve(reads, press("/queues/mail/pause", "anything"))
	require.Equal(t, 403, w.Code)
	require.Contains(t, w.Body.String(), "observe.Controls")

	h := observe.Handler(sys, observe.Controls())
	token := tokenOf(t, h)
	far := press("/queues/mail/pause", token)
	far.RemoteAddr = "10.0.0.7:1"
	rebound := press("/queues/mail/pause", token)
	rebound.Host = "evil.example"
	noToken := press("/queues/mail/pause", "")
	noToken.Header.Del("X-Cmwq-Token")
	for name, r := range map[string]*http.Request{
		"another machine":       far,
		"another name":          rebound,
		"no token":              noToken,
		"an empty token":        press("/queues/mail/pause", ""),
		"a wrong token":         press("/queues/mail/pause", strings.Repeat("A", len(token))),
		"a token of another":    press("/queues/mail/pause", tokenOf(t, observe.Handler(sys, observe.Controls()))),
		"another site":          press("/queues/mail/pause", token, "Sec-Fetch-Site", "cross-site"),
		"another site, in form": press("/queues/mail/pause", token, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"),
		"another origin":        press("/queues/mail/pause", token, "Sec-Fetch-Site", "", "Origin", "http://evil.example"),
	} {
		require.Equal(t, 403, serve(h, r).Code, name)
	}
	for _, method := range []string{"GET", "PUT", "DELETE"} {
		r := press("/queues/mail/pause", token)
		r.Method = method
		require.NotEqual(t, 200, serve(h, r).Code, method)
	}
	require.False(t, q.Paused(), "nothing of it happened")
}

// Names that no path can have, are long, or are no text, are found by what the page calls
// them.
func TestControlsOfHostileNames(t *testing.T) {
	for i, name := range []string{
		"..", ".", "a//b", "../../x", "%2F", "a?b#c", "<script>alert(1)</script>", `"'&`, "a\u202eb", "\xff\xfe", strings.Repeat("long ", 2000), "queues/mail/pause",
	} {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			sys := start(t)
			q := queue(t, sys, name)
			h := observe.Handler(sys, observe.Controls())
			mux := http.NewServeMux()
			mux.Handle("/debug/cmwq/", h)
			key := watch(t, listen(t, h), nil).frame().Queues[0].Key
			path := "/debug/cmwq/queues/" + url.PathEscape(key) + "/pause"
			if key == ".." || key == "." {
				path = "/debug/cmwq/queues/-/pause?queue=" + key
			}
			require.Equal(t, 200, serve(mux, press(path, tokenOf(t, h))).Code)
			require.True(t, q.Paused())
		})
	}
}
