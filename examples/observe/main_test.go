package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func get(t *testing.T, url string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, 200, resp.StatusCode, "%s", b)
	return string(b)
}

func post(t *testing.T, url string) {
	t.Helper()
	resp, err := http.Post(url, "", nil) //nolint:gosec,noctx // a test
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, 200, resp.StatusCode)
}

func TestTheShop(t *testing.T) {
	defer http.DefaultClient.CloseIdleConnections()
	ctx, stop := context.WithCancel(t.Context())
	out, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"-addr", "127.0.0.1:0", "-stall"}, w, io.Discard)
		_ = w.Close()
	}()
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	page, ok := strings.CutPrefix(lines.Text(), "the page: ")
	require.True(t, ok, lines.Text())
	require.True(t, lines.Scan())

	require.Contains(t, get(t, page), "<title>cmwq")
	until := func(url string, has ...string) {
		t.Helper()
		for text := ""; ; text = get(t, url) {
			missing := 0
			for _, s := range has {
				if !strings.Contains(text, s) {
					missing++
				}
			}
			if missing == 0 {
				return
			}
			require.NoError(t, ctx.Err(), "%s has not %q", url, has)
		}
	}
	until(page+"dump", "queue audit: ordered", "waits for the auditor", "inactive: ")
	until(page+"where", "chan receive", "shop.go")
	until(page+"monitor?filter=mail", "mail")
	until(page+"metrics", `workqueue_depth{name="audit"}`)

	site := strings.TrimSuffix(page, "debug/cmwq/")
	require.Contains(t, get(t, site), "stand still")
	post(t, site+"release")
	for strings.Contains(get(t, page+"dump"), "waits for the auditor") {
	}
	post(t, site+"stall")
	until(page+"dump", "waits for the auditor")

	stop()
	require.True(t, lines.Scan())
	require.Regexp(t, `^\d+ orders came; the audit missed \d+$`, lines.Text())
	require.NoError(t, <-ended)
}

func TestItEndsByItself(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), []string{"-addr", "127.0.0.1:0", "-for", "500ms"}, &out, io.Discard))
	require.Regexp(t, `^the page: http://127\.0\.0\.1:\d+/debug/cmwq/
have the audit stand still, and go on: http://127\.0\.0\.1:\d+/
\d+ orders came; the audit missed \d+
$`, out.String())
}
