package observe_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/observe"
)

// Who is not on this machine, and who pretends, is refused before anything is looked at.
func TestLoopbackOnly(t *testing.T) {
	h := observe.Handler(start(t))
	for name, test := range map[string]struct {
		change func(*http.Request)
		hint   string // "": it is served
	}{
		"IPv4":             {func(*http.Request) {}, ""},
		"IPv6":             {func(r *http.Request) { r.RemoteAddr, r.Host = "[::1]:1", "[::1]:6070" }, ""},
		"mapped":           {func(r *http.Request) { r.RemoteAddr = "[::ffff:127.0.0.1]:1" }, ""},
		"by address":       {func(r *http.Request) { r.Host = "127.0.0.1" }, ""},
		"a local name":     {func(r *http.Request) { r.Host = "app.localhost:6070" }, ""},
		"a dot at the end": {func(r *http.Request) { r.Host = "LOCALHOST.:6070" }, ""},
		"elsewhere":        {func(r *http.Request) { r.RemoteAddr = "10.0.0.7:1" }, "AllowRemote"},
		"elsewhere, IPv6":  {func(r *http.Request) { r.RemoteAddr = "[fe80::1]:1" }, "AllowRemote"},
		"nobody knows":     {func(r *http.Request) { r.RemoteAddr = "" }, "AllowRemote"},
		"a proxy":          {func(r *http.Request) { r.Header.Set("X-Forwarded-For", "127.0.0.1") }, "AllowRemote"},
		"another proxy":    {func(r *http.Request) { r.Header.Set("Forwarded", "for=10.0.0.7") }, "AllowRemote"},
		"a proxy that is lied to": {func(r *http.Request) {
			r.Header["X-Forwarded-For"] = []string{"", "10.0.0.7"} // an empty one is the client's, the other the proxy's
		}, "AllowRemote"},
		"a proxy that signs": {func(r *http.Request) { r.Header.Set("Via", "1.1 gate") }, "AllowRemote"},
		"rebound":            {func(r *http.Request) { r.Host = "evil.example" }, "Hosts"},
		"rebound, a port":    {func(r *http.Request) { r.Host = "evil.example:6070" }, "Hosts"},
		"nearly local":       {func(r *http.Request) { r.Host = "localhost.evil.example" }, "Hosts"},
		"no host":            {func(r *http.Request) { r.Host = "" }, "Hosts"},
		"a page elsewhere":   {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, "another origin"},
		"a sibling":          {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }, "another origin"},
		"its own page":       {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-origin") }, ""},
		"a link, followed": {func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
		}, ""},
		"typed by somebody": {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "none") }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := request("GET", "/snapshot")
			test.change(r)
			w := serve(h, r)
			if test.hint == "" {
				require.Equal(t, 200, w.Code, w.Body)
				return
			}
			require.Equal(t, 403, w.Code)
			require.Contains(t, w.Body.String(), test.hint)
			require.Equal(t, 1, strings.Count(w.Body.String(), "\n"), "one line")
		})
	}
}

func TestAUnixSocketIsOfThisMachine(t *testing.T) {
	srv := httptest.NewUnstartedServer(observe.Handler(start(t)))
	path := filepath.Join(t.TempDir(), "s")
	l, err := new(net.ListenConfig).Listen(t.Context(), "unix", path)
	require.NoError(t, err)
	_ = srv.Listener.Close()
	srv.Listener = l
	srv.Start()
	defer srv.Close()
	c := http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}}
	resp, err := c.Get("http://localhost/dump")
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, 200, resp.StatusCode)
	c.CloseIdleConnections()
}

func TestAllowRemote(t *testing.T) {
	h := observe.Handler(start(t), observe.Hosts("Ops.Example"), observe.AllowRemote(func(r *http.Request) error {
		switch _, password, ok := r.BasicAuth(); {
		case !ok:
			return &observe.ChallengeError{Challenge: `Basic realm="cmwq"`}
		case password != "secret":
			return errors.New("the password of " + r.RemoteAddr + " is wrong")
		}
		return nil
	}))
	ask := func(from, host, password string) *httptest.ResponseRecorder {
		r := request("GET", "/dump")
		r.RemoteAddr, r.Host = from, host
		r.Header.Set("X-Forwarded-For", "10.0.0.7")
		if password != "" {
			r.SetBasicAuth("op", password)
		}
		return serve(h, r)
	}
	require.Equal(t, 200, ask("10.0.0.7:1", "ops.example:443", "secret").Code)
	require.Equal(t, 200, ask("10.0.0.7:1", "192.168.0.1", "secret").Code)
	require.Equal(t, 403, ask("10.0.0.7:1", "evil.example", "secret").Code)
	w := ask("10.0.0.7:1", "ops.example", "")
	require.Equal(t, 401, w.Code)
	require.Equal(t, `Basic realm="cmwq"`, w.Header().Get("WWW-Authenticate"))
	require.Equal(t, 401, ask("127.0.0.1:1", "localhost", "").Code, "a proxy on this machine asks for others")
	w = ask("10.0.0.7:1", "ops.example", "guess")
	require.Equal(t, 403, w.Code)
	require.NotContains(t, w.Body.String(), "password", "what the hook says is not told")
	require.Panics(t, func() { observe.AllowRemote(nil) })
}

// Whatever is answered, refusals too, is kept by no cache and runs nothing inline.
func TestHeaders(t *testing.T) {
	h := observe.Handler(start(t))
	far := request("GET", "/")
	far.RemoteAddr = "10.0.0.7:1"
	for _, r := range []*http.Request{request("GET", "/"), request("GET", "/page.js"), request("GET", "/snapshot"), request("GET", "/none"), far} {
		got := serve(h, r).Header()
		csp := got.Get("Content-Security-Policy")
		require.Contains(t, csp, "default-src 'none'")
		require.NotContains(t, csp, "unsafe")
		require.Contains(t, csp, "frame-ancestors 'none'")
		require.Equal(t, "nosniff", got.Get("X-Content-Type-Options"))
		require.Equal(t, "no-store", got.Get("Cache-Control"))
		require.Empty(t, got.Get("Access-Control-Allow-Origin"))
	}
	page := serve(h, request("GET", "/")).Body.String()
	require.NotContains(t, page, "<style")
	require.NotContains(t, page, " style=")
	require.NotRegexp(t, `<script[^>]*>[^<]`, page)
	require.NotRegexp(t, `\son[a-z]+=`, page)
	require.NotContains(t, page, "//", "nothing is fetched from elsewhere")
}

// Scripts make text of what they are told, never markup or code.
func TestScriptsParseNoMarkup(t *testing.T) {
	h := observe.Handler(start(t))
	for _, name := range []string{"page.js", "table.js", "pools.js", "control.js", "dom.js"} {
		w := serve(h, request("GET", "/"+name))
		require.Equal(t, 200, w.Code, name)
		for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "eval(", "Function(", "http:", "https:"} {
			require.NotContains(t, strings.ReplaceAll(w.Body.String(), `"http://www.w3.org/2000/svg"`, ""), bad, name)
		}
	}
}
