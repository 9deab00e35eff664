package page

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe"
)

// cell is the text of a queue's cell in the table, by the head of its column.
const cell = `(name, head) => {
	const i = [...document.querySelectorAll("thead th")].findIndex((h) => h.textContent === head);
	const row = [...document.querySelectorAll("tbody tr")].find((r) => r.cells[0].textContent === name);
	return row?.cells[i].textContent;
}`

func TestItLoadsAndGoesOn(t *testing.T) {
	sys := start(t)
	q := queue(t, sys, "mail")
	b := browse(t, observe.Handler(sys))
	b.until(`document.querySelector("#link").textContent.trim() === "live"`)
	b.until(fmt.Sprintf(`(%s)("mail", "Total") === "0"`, cell))
	for range 42 {
		require.NoError(t, q.Go(nop))
	}
	b.until(fmt.Sprintf(`(%s)("mail", "Total") === "42"`, cell))
	require.NoError(t, q.Destroy(context.Background()))
	b.until(`document.querySelectorAll("tbody tr").length === 0`)
	require.True(t, eval[bool](b, `document.querySelector("#alerts").textContent.includes("Nothing is stuck")`))
	require.NoError(t, sys.Stop(context.Background()))
	b.until(`document.querySelector("#link").textContent.includes("stopped") || document.querySelector("#link").textContent.includes("not connected")`)
	b.quiet()
}

// Who is stuck, on what and where stands on top, in a sentence.
func TestItShowsAStall(t *testing.T) {
	sys := start(t)
	q, calm := queue(t, sys, "audit", cmwq.Ordered()), queue(t, sys, "calm")
	open := make(chan struct{})
	defer close(open)
	require.NoError(t, q.Go(func(*cmwq.Context) error { <-open; return nil }))
	for range 12 {
		require.NoError(t, q.Go(nop))
	}
	require.NoError(t, calm.Go(nop))
	b := browse(t, observe.Handler(sys, observe.StuckAfter(time.Second)))
	b.until(`document.querySelector("#alerts li.stuck span")?.textContent.includes(" at page_test.go:")`)
	text := eval[string](b, `document.querySelector("#alerts li.stuck span").textContent`)
	require.Regexp(t, `^Queue audit: 12 items wait for a slot of max_active 1, nothing started for .*; kworker/\S+ blocks in page.TestItShowsAStall.func\d for .*: chan receive at page_test.go:\d+\.$`, text)
	require.Equal(t, "audit", eval[string](b, `document.querySelector("tbody tr").cells[0].textContent`), "it is the first row")
	b.until(`document.title.startsWith("(1 stuck)")`)
	require.Equal(t, text[:len("Queue audit: 12 items wait")], eval[string](b, `document.querySelector("#say").textContent`)[:len("Queue audit: 12 items wait")], "it is said to who listens")

	// Its details name the worker, and what waits.
	b.do(chromedp.Click(chromedp.CSS("tbody tr th button")))
	b.until(`document.querySelector("#detail-body").textContent.includes("12 × page.nop")`)
	require.Contains(t, eval[string](b, `document.querySelector("#detail-body").textContent`), "chan receive at page_test.go")
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`!document.querySelector("#detail").open`)
	b.quiet()
}

// Queues are sorted, found and opened by keyboard alone.
func TestKeyboard(t *testing.T) {
	sys := start(t)
	for i, name := range []string{"beta", "alpha", "gamma"} {
		q := queue(t, sys, name)
		for range i {
			require.NoError(t, q.Go(nop))
		}
		require.NoError(t, q.Flush(context.Background()))
	}
	b := browse(t, observe.Handler(sys, observe.Controls()))
	names := func(want string) {
		t.Helper()
		b.until(fmt.Sprintf(`[...document.querySelectorAll("tbody th")].map((h) => h.textContent).join(" ") === %q`, want))
	}
	sorted := func(want string) {
		t.Helper()
		b.until(fmt.Sprintf(`[...document.querySelectorAll("th[aria-sort]")].map((h) => h.textContent + " " + h.ariaSort).join() === %q`, want))
	}
	focus := func(text string) { // with the tabulator, as somebody without a mouse would
		t.Helper()
		for range 60 {
			b.do(chromedp.KeyEvent(kb.Tab))
			if eval[string](b, `document.activeElement.textContent.trim() || document.activeElement.id`) == text {
				return
			}
		}
		t.Fatalf("the tabulator does not reach %q", text)
	}
	b.until(`document.querySelectorAll("tbody tr").length === 3`)
	focus("Queue")
	b.do(chromedp.KeyEvent(kb.Enter))
	names("alpha beta gamma")
	sorted("Queue ascending")
	b.do(chromedp.KeyEvent(" "))
	names("gamma beta alpha")
	sorted("Queue descending")
	focus("Total")
	b.do(chromedp.KeyEvent(kb.Enter))
	names("gamma alpha beta")
	sorted("Total descending")
	require.Equal(t, "Total", eval[string](b, `document.activeElement.textContent`), "the focus stays")
	require.NotEqual(t, "none", eval[string](b, `getComputedStyle(document.activeElement).outlineStyle`), "and is seen")

	b.do(chromedp.KeyEvent("/"))
	require.Equal(t, "search", eval[string](b, `document.activeElement.id`))
	b.do(js(`document.activeElement.value = ""`)) // keys that a test sends come as text, too
	b.do(chromedp.KeyEvent("ALPH"))
	names("alpha")
	b.until(`document.querySelector("#queues-cut").textContent === "1 found"`)
	focus("alpha")
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector("#detail").open`)
	b.do(chromedp.KeyEvent(kb.Escape))
	require.Equal(t, "alpha", eval[string](b, `document.activeElement.textContent`), "the focus comes back")
	b.quiet()
}

// Ten thousand queues do not slow the page: it shows some, and finds the others.
func TestManyQueues(t *testing.T) {
	sys := start(t)
	for i := range 10_000 {
		queue(t, sys, fmt.Sprintf("tenant-%05d", i))
	}
	h := observe.Handler(sys)
	var largest atomic.Int64
	b := browse(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(&measured{ResponseWriter: w, most: &largest}, r)
	}))
	b.until(`document.querySelectorAll("tbody tr").length === 100`)
	b.until(`document.querySelector("#queues-cut").textContent.startsWith("100 of 10000")`)
	require.Less(t, largest.Load(), int64(40_000), "bytes of an event")
	took := eval[float64](b, `new Promise((done) => {
		let longest = 0;
		new PerformanceObserver((l) => l.getEntries().forEach((e) => longest = Math.max(longest, e.duration))).observe({ type: "longtask" });
		setTimeout(() => done(longest), 3500);
	})`)
	t.Logf("the largest event has %d bytes; the longest task took %.0f ms", largest.Load(), took)
	b.do(chromedp.SendKeys(chromedp.CSS("#search"), "09876"))
	b.until(`document.querySelectorAll("tbody tr").length === 1`)
	require.Equal(t, "tenant-09876", eval[string](b, `document.querySelector("tbody th").textContent`))
	b.quiet()
}

// measured knows the largest piece that was written.
type measured struct {
	http.ResponseWriter
	most *atomic.Int64
}

func (m *measured) Write(b []byte) (int, error) {
	if strings.HasPrefix(string(b[:min(len(b), 6)]), `{"at":`) {
		m.most.Store(max(m.most.Load(), int64(len(b)))) // one stream writes
	}
	return m.ResponseWriter.Write(b)
}

func (m *measured) Unwrap() http.ResponseWriter { return m.ResponseWriter }
