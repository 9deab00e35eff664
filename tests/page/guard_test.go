package page

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe"
)

// button presses the button of a queue's row that has that text.
func (b *tab) button(text string) {
	b.t.Helper()
	b.do(chromedp.Click(fmt.Sprintf(`//tbody//td//button[text()=%q]`, text)))
}

func TestControls(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "mail")
	b := browse(t, observe.Handler(sys, observe.Controls()))
	b.button("Pause")
	b.until(`document.querySelector("#toast").textContent === "paused"`)
	require.True(t, q.Paused())
	b.until(`document.querySelector("tbody .tag")?.textContent === "paused"`)
	b.button("Resume")
	b.until(`document.querySelector("#toast").textContent === "resumed"`)
	require.False(t, q.Paused())

	b.button("limit…")
	b.until(`document.activeElement.id === "limit-n"`)
	b.do(js(`document.activeElement.select()`), chromedp.KeyEvent("7"), chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector("#toast").textContent === "max_active is 7"`)
	b.until(fmt.Sprintf(`(%s)("mail", "Max active") === "7"`, cell))
	b.button("limit…")
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`!document.querySelector("#limit").open`)
	require.Equal(t, "7", eval[string](b, fmt.Sprintf(`(%s)("mail", "Max active")`, cell)), "who goes back changes nothing")
	b.quiet()
}

// Without the option there are no buttons; and a page of another run has no right.
func TestControlsWithoutRights(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "mail")
	b := browse(t, observe.Handler(sys))
	b.until(`document.querySelectorAll("tbody tr").length === 1`)
	require.Zero(t, eval[int](b, `document.querySelectorAll("td button").length`))
	require.Equal(t, 403, eval[int](b, `fetch("queues/mail/pause", {method: "POST", headers: {"X-Cmwq-Token": "x"}}).then((r) => r.status)`))
	b.quiet("403")

	var now atomic.Value
	now.Store(observe.Handler(sys, observe.Controls()))
	b = browse(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { now.Load().(http.Handler).ServeHTTP(w, r) }))
	b.until(`document.querySelectorAll("td button").length > 0`)
	now.Store(observe.Handler(sys, observe.Controls())) // the program was started anew
	b.button("Pause")
	b.until(`document.querySelector("#toast").textContent.startsWith("Refused: the token is missing")`)
	require.False(t, q.Paused())
	b.quiet("403")
}

// A page of somebody else's can neither read nor change anything, whatever it tries.
func TestAnotherOrigin(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "mail")
	h := observe.Handler(sys, observe.Controls())
	target := httptest.NewServer(h)
	t.Cleanup(target.Close)
	port := target.URL[strings.LastIndexByte(target.URL, ':'):]
	evil := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<ul class="alerts"><li>x</li></ul><iframe name="f" src="%[1]s/"></iframe>
<form target="f" method="post" action="%[1]s/queues/mail/pause"></form>`, target.URL)
	})
	b := browse(t, evil, chromedp.Flag("host-resolver-rules", "MAP evil.example 127.0.0.1"))
	for _, try := range []string{
		`fetch(%q + "/snapshot").then((r) => r.text(), () => "refused")`,
		`fetch(%q + "/queues/mail/pause", {method: "POST", mode: "no-cors"}).then((r) => r.text() || "refused", () => "refused")`,
		`fetch(%q + "/queues/mail/pause", {method: "POST", headers: {"X-Cmwq-Token": "x"}}).then((r) => r.text(), () => "refused")`,
		`new Promise((done) => { const e = new EventSource(%q + "/events"); e.onmessage = e.onopen = () => done("read"); e.onerror = () => done("refused"); })`,
	} {
		got := eval[string](b, fmt.Sprintf(try, target.URL))
		require.Contains(t, []string{"refused", ""}, got, try)
	}
	b.do(js(`document.forms[0].submit()`))
	require.Equal(t, "refused", eval[string](b, `new Promise((done) => setTimeout(() => { try { done(frames[0].document.body.textContent) } catch { done("refused") } }, 500))`))
	require.False(t, q.Paused())

	// A name that its owner points here is refused, too: DNS rebinding.
	b.do(chromedp.Navigate("http://evil.example" + port + "/snapshot"))
	body := eval[string](b, `document.body.textContent`)
	require.Contains(t, body, "the host name is not known here")
	require.NotContains(t, body, "mail")
}

// Names are text, wherever they stand.
func TestHostileNames(t *testing.T) {
	sys := start(t)
	names := []string{
		`<script>window.pwned = 1</script>`, `<img src=x onerror="window.pwned=2">`, `"><svg onload=window.pwned=3>`,
		`'-window.pwned-'`, "${window.pwned=4}", "{{.Token}}", "javascript:window.pwned=5", "</td></tr></table><h1>gone</h1>",
		"a\u202egnp.\u2066exe", "\x00\x1b[31m", "..", strings.Repeat("ten thousand ", 800), "\xff\xfe", "__proto__", "constructor",
	}
	open := make(chan struct{})
	defer close(open)
	for _, name := range names {
		q := queue(t, sys, name, cmwq.Ordered())
		require.NoError(t, q.Go(func(ctx *cmwq.Context) error { ctx.SetDesc("%s", name); <-open; return nil }))
		require.NoError(t, q.Go(nop))
	}
	b := browse(t, observe.Handler(sys, observe.Controls(), observe.StuckAfter(1)))
	b.until(fmt.Sprintf(`document.querySelectorAll("tbody tr").length === %d`, len(names)))
	b.until(fmt.Sprintf(`document.querySelectorAll("#alerts li.stuck").length === %d`, len(names)))
	require.Empty(t, eval[string](b, `[...document.querySelectorAll("main script, main img, main svg:not(.spark), main h1, main a")].map((e) => e.outerHTML).join()`))
	got := eval[[]string](b, `[...document.querySelectorAll("tbody th")].map((h) => h.textContent)`)
	require.Contains(t, got, `<script>window.pwned = 1</script>`)
	require.Contains(t, got, `a\u{202e}gnp.\u{2066}exe`)
	for _, g := range got {
		require.LessOrEqual(t, len([]rune(g)), 200)
	}
	require.Less(t, eval[float64](b, `document.querySelector("#table").getBoundingClientRect().width`), 2500., "nor do they tear the page")

	// Each may be opened and paused.
	for i := range names {
		b.do(js(fmt.Sprintf(`document.querySelectorAll("tbody th button")[%d].click()`, i)))
		b.until(`document.querySelector("#detail-body").textContent.includes("In flight")`)
		b.do(js(`document.querySelector("#detail-close").click()`))
		b.until(`!document.querySelector("#detail").open`)
	}
	b.do(js(`[...document.querySelectorAll("td button")].filter((b) => b.textContent === "Pause").forEach((b) => b.click())`))
	b.until(fmt.Sprintf(`[...document.querySelectorAll("td button")].filter((b) => b.textContent === "Resume").length === %d`, len(names)))
	for _, name := range names {
		require.True(t, sys.Queue(name).Paused(), "%.20q", name)
	}
	require.Nil(t, eval[any](b, `window.pwned`))
	require.Equal(t, "text/plain; charset=utf-8", eval[string](b, `fetch("dump?q=`+url.QueryEscape(names[0])+`").then((r) => r.headers.get("Content-Type"))`))
	b.quiet()
}
