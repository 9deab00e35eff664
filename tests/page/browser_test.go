package page

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// chromium finds the browser, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no Chromium: install one (Debian: apt-get install chromium)")
	return ""
}

// tab is a page that is looked at. What its console says, but for what a test expects,
// fails the test: errors of scripts, and what the content security policy refuses.
type tab struct {
	t   *testing.T
	ctx context.Context
	srv *httptest.Server

	mu      sync.Mutex
	said    []string
	dialogs int
}

// browse opens the root of a handler.
func browse(t *testing.T, h http.Handler, flags ...chromedp.ExecAllocatorOption) *tab {
	t.Helper()
	path := chromium(t)
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1400, 1000))
	alloc, end := chromedp.NewExecAllocator(context.Background(), append(opts, flags...)...)
	t.Cleanup(end)
	ctx, leave := chromedp.NewContext(alloc)
	t.Cleanup(leave)
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx, srv: srv}
	require.NoError(t, chromedp.Listen(ctx, func(event any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			b.said = append(b.said, fmt.Sprintf("%s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
		case *log.EventEntryAdded:
			b.said = append(b.said, fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
		case *page.EventJavascriptDialogOpening:
			b.dialogs++
		}
	}))
	b.do(chromedp.Navigate(srv.URL), chromedp.WaitVisible(chromedp.CSS(".alerts li")))
	return b
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, actions...))
}

// js runs a statement.
func js(code string) chromedp.Action[chromedp.Void] { return chromedp.Evaluate[chromedp.Void](code) }

// eval gives what an expression is, promises awaited.
func eval[T any](b *tab, js string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	require.NoError(b.t, err, js)
	return v
}

// until waits for an expression to be true.
func (b *tab) until(js string) {
	b.t.Helper()
	_, err := chromedp.Run(b.ctx, chromedp.Poll[chromedp.Void](js, chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(30*time.Second)))
	require.NoError(b.t, err, js)
}

// quiet fails if the console has said anything that is not expected.
func (b *tab) quiet(expected ...string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Zero(b.t, b.dialogs, "somebody opened a dialog")
next:
	for _, s := range b.said {
		for _, e := range expected {
			if strings.Contains(s, e) {
				continue next
			}
		}
		b.t.Errorf("the console says: %s", s)
	}
}

// scheme has the page be dark or light.
func (b *tab) scheme(name string) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	})
	require.NoError(b.t, err)
}

func start(t *testing.T, opts ...cmwq.Option) *cmwq.System {
	t.Helper()
	sys, err := cmwq.New(opts...)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = sys.Stop(ctx)
	})
	return sys
}

func queue(t *testing.T, sys *cmwq.System, name string, opts ...cmwq.QueueOption) *cmwq.Queue {
	t.Helper()
	q, err := sys.NewQueue(name, opts...)
	require.NoError(t, err)
	return q
}

func nop(*cmwq.Context) error { return nil }

// blank is a page with nothing but what browse waits for.
var blank = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprint(w, `<!doctype html><link rel="icon" href="data:,"><ul class="alerts"><li>x</li></ul>`)
})
