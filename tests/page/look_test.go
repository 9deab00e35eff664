package page

import (
	"bufio"
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// demo runs examples/observe, with a queue that is stuck, and gives the page's address.
func demo(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "demo")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "./examples/observe")
	build.Dir = filepath.Join("..", "..")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	cmd := exec.CommandContext(t.Context(), bin, "-stall", "-addr", "127.0.0.1:0", "-for", "2m")
	pipe, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(pipe).ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(strings.TrimPrefix(line, "the page: "))
}

// contrast gives the texts that stand out too little from what is behind them: below 4.5 to
// 1 (WCAG AA).
const contrast = `(() => {
	const lum = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
		.reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
	const rgba = (s) => { const n = s.match(/[\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
	const behind = (e) => { for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] > .5) return c; } return [255, 255, 255, 1]; };
	const bad = new Set();
	for (const e of document.querySelectorAll("body *")) {
		const text = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
		const box = e.getBoundingClientRect();
		if (!text || box.width < 2 || box.height < 2) continue;
		let opacity = 1;
		for (let p = e; p; p = p.parentElement) opacity *= +getComputedStyle(p).opacity;
		const ground = behind(e);
		const ink = rgba(getComputedStyle(e).color).map((c, i) => i < 3 ? c * opacity + ground[i] * (1 - opacity) : c);
		const [a, b] = [lum(ink), lum(ground)].sort((x, y) => y - x);
		const ratio = (a + .05) / (b + .05);
		if (ratio < 4.5) bad.add(e.tagName + "." + e.className + " " + ratio.toFixed(2) + ": " + e.textContent.slice(0, 20));
	}
	return [...bad];
})()`

// unnamed gives what can be operated and has no name.
const unnamed = `[...document.querySelectorAll("button, input, a, [tabindex]")].filter((e) =>
	!(e.textContent.trim() || e.ariaLabel || e.labels?.length || e.getAttribute("aria-labelledby"))).map((e) => e.outerHTML)`

// Who opens the page of the demo finds the hog, the silent sleeper, what fails and what is
// stuck in less than half a minute, in dark and in light. With PAGE_SHOT=DIR it is
// photographed.
func TestTheDemo(t *testing.T) {
	url := demo(t)
	b := browse(t, blank)
	began := time.Now()
	b.do(chromedp.Navigate(url))
	for level, text := range map[string]string{
		"stuck":   `Queue audit: \d+ items wait for a slot of max_active 1, nothing started for .* blocks in main\.\(\*shop\)\.book for .*: chan receive at shop\.go:\d+`,
		"failing": `Queue mail: in the last .* failed for good.* dead letter.* tried again`,
		"hog":     `Queue reports: .*(CPU for .* in main\.report|their worker for)`,
		"silent":  `Queue quotes: .* blocks in main\.quote for .* and has not said so: sleep at shop\.go|Queue quotes: .* their worker for`,
	} {
		b.until(`[...document.querySelectorAll("#alerts li.` + level + ` span")].some((e) => new RegExp(String.raw` + "`" + text + "`" + `).test(e.textContent))`)
	}
	t.Logf("all found in %s", time.Since(began).Round(time.Second))
	require.Less(t, time.Since(began), 30*time.Second)
	require.Empty(t, eval[[]string](b, unnamed))
	require.Zero(t, eval[int](b, `document.querySelectorAll("thead th:not([scope=col]), tbody th:not([scope=row])").length`))
	if os.Getenv("PAGE_SHOT") != "" {
		b.do(chromedp.EmulateViewport(1360, 900))
		time.Sleep(time.Minute - time.Since(began)) // sparklines are those of a minute
	}
	for _, scheme := range []string{"light", "dark"} {
		b.scheme(scheme)
		require.Empty(t, eval[[]string](b, contrast), scheme)
		if dir := os.Getenv("PAGE_SHOT"); dir != "" {
			shot, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "page-"+scheme+".png"), small(t, shot), 0o600))
		}
	}
	b.do(chromedp.EmulateViewport(390, 800)) // a telephone, in the night
	require.LessOrEqual(t, eval[int](b, `document.scrollingElement.scrollWidth`), 390)
	b.quiet()
}

// small gives a picture with the 256 colours that it has most of, which for a page are
// nearly all.
func small(t *testing.T, b []byte) []byte {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(b))
	require.NoError(t, err)
	count := map[color.RGBA]int{}
	box := img.Bounds()
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			count[color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)]++
		}
	}
	colors := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int { return cmp.Compare(count[b], count[a]) })
	var palette color.Palette
	for _, c := range colors[:min(len(colors), 256)] {
		palette = append(palette, c)
	}
	out := image.NewPaletted(box, palette)
	draw.Draw(out, box, img, box.Min, draw.Src)
	var buf bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&buf, out))
	return buf.Bytes()
}
