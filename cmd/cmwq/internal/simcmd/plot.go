package simcmd

import (
	"fmt"
	"io"
	"strings"
)

// The plot is three groups of three pairs of bars: here, and published.
const (
	plotWidth, plotHeight = 720, 420
	plotLeft, plotTop     = 60, 60
	plotBottom            = 70
	barWidth, barGap      = 26, 6
	least, most           = 0.70, 1.05 // of the axis
)

// WriteSVG draws the ratios of bandwidth with their spread beside the published ones.
// It reads in a dark and in a light page.
func (r *Report) WriteSVG(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" role="img" aria-labelledby="t d">
<title id="t">Bandwidth with affinity scopes, as a ratio to the scope system</title>
<desc id="d">%s</desc>
<style>
  :root { color: #222; background: #fff } .here { fill: #2a78b8 } .paper { fill: #c9d6e2; stroke: #66788a }
  text { fill: currentColor } line, path { stroke: currentColor } .grid { opacity: .2 }
  @media (prefers-color-scheme: dark) { :root { color: #ddd; background: #181a1b } .here { fill: #62a8e0 } .paper { fill: #3b4854; stroke: #9ab } }
</style>
`, plotWidth, plotHeight, r.summary())
	fmt.Fprintf(&b, `<text x="%d" y="24" font-size="15">Bandwidth as a ratio to the scope system (the axis begins at 0.70)</text>`+"\n", plotLeft)
	legend(&b)
	for i := range 8 {
		v := least + 0.05*float64(i)
		fmt.Fprintf(&b, `<line class="grid" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/><text x="%d" y="%.1f" text-anchor="end">%.2f</text>`+"\n",
			plotLeft, plotWidth-20, plotY(v), plotY(v), plotLeft-6, plotY(v)+4, v)
	}
	const pair = 2*barWidth + 2
	group := (plotWidth - plotLeft - 20) / len(r.table)
	for i, row := range r.table {
		x := plotLeft + i*group + (group-3*pair-2*barGap)/2
		for j, c := range row {
			at := x + j*(pair+barGap)
			bar(&b, "here", at, c.Ratio.Mean)
			bar(&b, "paper", at+barWidth+2, c.PaperRatio)
			if c.Ratio.Spread > 0 {
				mid := at + barWidth/2
				fmt.Fprintf(&b, `<path d="M%d %.1fV%.1fM%d %.1fh8M%d %.1fh8" fill="none"/>`+"\n", mid, plotY(c.Ratio.Mean-c.Ratio.Spread), plotY(c.Ratio.Mean+c.Ratio.Spread),
					mid-4, plotY(c.Ratio.Mean-c.Ratio.Spread), mid-4, plotY(c.Ratio.Mean+c.Ratio.Spread))
			}
			for k, word := range strings.Fields(c.Scope) {
				fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", at+barWidth, plotHeight-plotBottom+16+14*k, word)
			}
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle" font-weight="bold">%d issuers</text>`+"\n", plotLeft+i*group+group/2, plotHeight-16, row[0].Issuers)
	}
	fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%[3]d" y2="%[3]d"/>`+"\n</svg>\n", plotLeft, plotWidth-20, plotHeight-plotBottom)
	_, err := io.WriteString(w, b.String())
	return err
}

func plotY(v float64) float64 {
	v = max(least, min(most, v))
	return plotTop + (most-v)/(most-least)*(plotHeight-plotTop-plotBottom)
}

func bar(b *strings.Builder, class string, x int, v float64) {
	fmt.Fprintf(b, `<rect class="%s" x="%d" y="%.1f" width="%d" height="%.1f"><title>%.3f</title></rect>`+"\n",
		class, x, plotY(v), barWidth, plotHeight-plotBottom-plotY(v), v)
}

func legend(b *strings.Builder) {
	for i, l := range []struct{ class, text string }{{"here", "simulated (mean, and spread over seeds)"}, {"paper", "published"}} {
		x := plotLeft + i*300
		fmt.Fprintf(b, `<rect class="%s" x="%d" y="36" width="12" height="12"/><text x="%d" y="46">%s</text>`+"\n", l.class, x, x+18, l.text)
	}
}

// summary is the picture in words.
func (r *Report) summary() string {
	var parts []string
	for _, c := range r.Cells {
		parts = append(parts, fmt.Sprintf("%d issuers, %s: %.3f, published %.3f", c.Issuers, c.Scope, c.Ratio.Mean, c.PaperRatio))
	}
	return strings.Join(parts, "; ")
}
