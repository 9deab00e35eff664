package simcmd

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/monitor"
)

// WriteJSON writes the advice for programs.
func (a *Advice) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(a)
}

// WriteTo writes the advice for people.
func (a *Advice) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s, %s\n", a.Topology, many(a.CPUs, "CPU"), many(a.Caches, "cache"), many(a.Nodes, "memory node"))
	fmt.Fprintf(&b, "%s\n%d items for each scope, seeds 1 to %d\n\n", describe(a.Load), a.Items, a.Seeds)
	b.WriteString("  scope                  pods   items/s     ±    p50     p99   CPU %  away %\n")
	for _, c := range a.Choices {
		mark := " "
		if c.same(a.Best) {
			mark = "*"
		}
		fmt.Fprintf(&b, "%s %-20s %6d %9s %4.1f%% %6s %7s  %5.1f  %5.1f\n", mark, c.name(), c.Pods, monitor.Rate(c.Rate.Mean),
			100*c.Rate.Spread/c.Rate.Mean, monitor.Span(c.P50), monitor.Span(c.P99), 100*c.CPU, 100*c.Away)
		if len(c.Like) > 0 && !c.Strict {
			fmt.Fprintf(&b, "    as %s here\n", strings.Join(c.Like, " and "))
		}
	}
	fmt.Fprintf(&b, "\nAdvice: %s: %s.\n", a.Best.name(), a.Why)
	b.WriteString(`
It holds for the load as you described it, on a model of the machine whose SMT, caches and
scheduler were fitted to one machine (cmwq sim affinity); measure before you rely on it.
`)
	b.WriteString(threads)
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// threads is what a reader must know of either experiment.
const threads = `Workers are threads here, which stay in their pods as the kernel's do. Those of a Go program
are goroutines, and Go runs them where it likes: there a scope says how many CPUs share a
pool, and not where its items run.
`

func (c Choice) name() string {
	if c.Strict {
		return c.Scope + " strict"
	}
	return c.Scope
}

func many(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
