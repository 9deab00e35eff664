package page

import (
	"net/http"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe"
)

// troubled opens the page of a program that has some of everything.
func troubled(t *testing.T) *tab {
	t.Helper()
	sys := start(t, cmwq.WithMonitor(), cmwq.WithOnFailure(func(string, error) {}))
	open := make(chan struct{})
	t.Cleanup(func() { close(open) })
	audit := queue(t, sys, "audit", cmwq.Ordered())
	require.NoError(t, audit.Go(func(*cmwq.Context) error { <-open; return nil }))
	require.NoError(t, audit.Go(nop))
	mail, busy := queue(t, sys, "mail"), queue(t, sys, "busy", cmwq.PerCPU())
	_, err := busy.Every(cmwq.Interval(20*time.Millisecond), cmwq.NewWork(nop))
	require.NoError(t, err)
	_, err = mail.Every(cmwq.Interval(100*time.Millisecond), cmwq.NewWork(func(*cmwq.Context) error { return http.ErrAbortHandler }))
	require.NoError(t, err)
	b := browse(t, observe.Handler(sys, observe.Controls(), observe.Stacks(), observe.StuckAfter(time.Second)))
	b.until(`document.querySelector("#alerts li.stuck") && document.querySelector("#alerts li.failing")`)
	return b
}

// What a screen reader makes of the page: everything has a name, headings are an outline,
// tables have headers, and what is said is said once.
func TestScreenReader(t *testing.T) {
	b := troubled(t)
	all := b.tree()
	named(t, all)
	outlined(t, all)
	require.Len(t, of(all, "table"), 1)
	tabled(t, all)
	for role, n := range map[string]int{"banner": 1, "main": 1, "navigation": 1} {
		require.Len(t, of(all, role), n, role)
	}
	var buttons []string
	for _, n := range of(all, "button") {
		buttons = append(buttons, n.name)
	}
	for _, name := range []string{"Hold", "audit", "Pause audit", "Change max_active of audit", "Started/s"} {
		require.Contains(t, buttons, name)
	}
	polite := 0
	for _, n := range all {
		if live := n.props["live"]; live != "" && n.in.props["live"] == "" {
			require.Equal(t, "polite", live, "%s %q interrupts", n.role, n.name)
			polite++
		}
	}
	require.GreaterOrEqual(t, polite, 2, "the link's state, what is new")

	// Numbers change every second, and nobody is told of each.
	talk := eval[[]string](b, `new Promise((done) => {
		const said = [];
		const watch = new MutationObserver((l) => l.forEach((m) => said.push(m.target.textContent)));
		document.querySelectorAll("[aria-live], [role=status], [role=alert]").forEach((e) => watch.observe(e, { childList: true, characterData: true, subtree: true }));
		const total = document.querySelector("#sum").textContent;
		setTimeout(() => done(document.querySelector("#sum").textContent === total ? ["the page stands still"] : said), 3500);
	})`)
	require.Empty(t, talk)

	// A dialog that is open keeps its elements, so that who reads them is not thrown out.
	b.do(chromedp.Click(`//tbody//th//button[.="audit"]`))
	b.until(`document.querySelector("#detail-body li")?.textContent.includes("kworker")`)
	all = b.tree()
	named(t, all)
	dialogs := of(all, "dialog")
	require.Len(t, dialogs, 1)
	require.Equal(t, "Queue audit", dialogs[0].name)
	b.do(js(`window.kept = [...document.querySelectorAll("#detail-body *")]; window.was = document.querySelector("#detail-body li").textContent`))
	b.until(`document.querySelector("#detail-body li").textContent !== window.was`) // its seconds
	require.True(t, eval[bool](b, `window.kept.every((e) => e.isConnected)`))
	b.quiet()
}

// seen says what is wrong with the element that has the focus: it must be on the screen,
// with nothing above it, and must look as if it has it.
const seen = `(() => {
	const e = document.activeElement, r = e.getBoundingClientRect();
	if (r.width < 2 || r.height < 2) return "has no size";
	const x = Math.min(Math.max(r.x + r.width / 2, 0), innerWidth - 1), y = Math.max(r.y, 0) + Math.min(r.height, innerHeight) / 2;
	const at = document.elementFromPoint(x, y);
	if (!at || !(e.contains(at) || at.contains(e))) return "is below " + (at ? at.tagName + " " + at.id : "the edge");
	const s = getComputedStyle(e);
	return s.outlineStyle === "none" || parseFloat(s.outlineWidth) < 2 ? "does not show it" : "";
})()`

// who is what has the focus.
const who = `(() => { const e = document.activeElement; return e === document.body ? "" : e.id || (e.ariaLabel || e.textContent).trim(); })()`

// The tabulator goes through everything that can be operated, in the order of the page, there
// and back, and what has the focus is seen.
func TestFocusOrder(t *testing.T) {
	b := troubled(t)
	b.do(chromedp.EmulateViewport(1000, 320)) // so that the page must scroll
	b.do(js(`window.stops = [...document.querySelectorAll("a[href], button, input, [tabindex='0']")].filter((e) => e.checkVisibility() && !e.closest("dialog:not([open])"))`))
	n := eval[int](b, `window.stops.length`)
	require.Greater(t, n, 25)
	require.Zero(t, eval[int](b, `document.querySelectorAll("[tabindex]:not([tabindex='0'], [tabindex='-1'])").length`))
	for i := range n {
		b.do(chromedp.KeyEvent(kb.Tab))
		require.Equal(t, i, eval[int](b, `window.stops.indexOf(document.activeElement)`), "after %d tabs: %s", i+1, eval[string](b, who))
		require.Empty(t, eval[string](b, seen), eval[string](b, who))
	}
	for i := n - 2; i >= 0; i-- {
		b.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
		require.Equal(t, i, eval[int](b, `window.stops.indexOf(document.activeElement)`), "on the way back: %s", eval[string](b, who))
		require.Empty(t, eval[string](b, seen), "on the way back: %s", eval[string](b, who))
	}

	// The first is the way past what is above; then everything is operated.
	b.do(chromedp.KeyEvent(kb.Enter))
	require.Equal(t, "queues", eval[string](b, who))
	focus := func(name string) {
		t.Helper()
		for range n + 1 {
			if eval[string](b, who) == name {
				return
			}
			b.do(chromedp.KeyEvent(kb.Tab))
		}
		t.Fatalf("the tabulator does not reach %q", name)
	}
	b.do(js(`window.stops[0].focus()`))
	focus("hold")
	b.do(chromedp.KeyEvent(" "))
	require.Equal(t, "true", eval[string](b, `document.activeElement.ariaPressed`))
	b.do(chromedp.KeyEvent(" "))
	focus("Pause busy")
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`document.activeElement.ariaLabel === "Resume busy"`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`document.activeElement.ariaLabel === "Pause busy"`)

	// A dialog keeps the tabulator, and gives the focus back.
	focus("Change max_active of busy")
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector("#limit").open`)
	for range 5 {
		require.True(t, eval[bool](b, `document.activeElement === document.body || !!document.activeElement.closest("#limit")`), eval[string](b, who))
		b.do(chromedp.KeyEvent(kb.Tab))
	}
	b.do(chromedp.KeyEvent(kb.Escape))
	require.Equal(t, "Change max_active of busy", eval[string](b, who))
	b.quiet()
}

// faint gives what is not text and stands out too little, below 3 to 1: borders of what is
// typed into, and the mark of the focus.
const faint = `(() => {
	const lum = (s) => s.match(/[\d.]+/g).slice(0, 3).map((c) => c / 255).map((c) => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
		.reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
	const ratio = (a, b) => { const [x, y] = [lum(a), lum(b)].sort((p, q) => q - p); return (x + .05) / (y + .05); };
	const bad = [], root = getComputedStyle(document.body).backgroundColor, panel = getComputedStyle(document.querySelector("header")).backgroundColor;
	for (const e of document.querySelectorAll("input")) {
		const s = getComputedStyle(e);
		if (ratio(s.borderTopColor, root) < 3) bad.push(e.id + " border " + s.borderTopColor);
		const hint = getComputedStyle(e, "::placeholder");
		if (e.placeholder && ratio(hint.color, s.backgroundColor) < 4.5) bad.push(e.id + " hint " + hint.color);
	}
	document.querySelector("#hold").focus({ focusVisible: true });
	for (const ground of [root, panel]) if (ratio(getComputedStyle(document.activeElement).outlineColor, ground) < 3) bad.push("focus");
	return bad;
})()`

// What there is to read stands out from what is behind it, in the dark and by day, in
// dialogs, too; and so does what there is to use.
func TestContrast(t *testing.T) {
	b := troubled(t)
	for _, scheme := range []string{"light", "dark"} {
		b.scheme(scheme)
		require.Empty(t, eval[[]string](b, contrast), scheme)
		require.Empty(t, eval[[]string](b, faint), scheme)
		b.do(chromedp.Click(`//tbody//th//button[.="audit"]`))
		b.until(`document.querySelector("#detail-body li")?.textContent.includes("kworker")`)
		require.Empty(t, eval[[]string](b, contrast), "%s, details", scheme)
		b.do(chromedp.KeyEvent(kb.Escape))
		b.button("Pause")
		b.until(`!document.querySelector("#toast").hidden`)
		require.Empty(t, eval[[]string](b, contrast), "%s, an answer", scheme)
		b.button("Resume")
		b.until(`document.querySelector("#toast").textContent === "resumed"`)
	}
	b.quiet()
}
