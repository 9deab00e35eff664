package observe

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// longest is how many characters of a name are shown.
const longest = 64

// shown is a name as it may stand in a sentence: what would not be seen, or turn the
// text around it, is written as an escape, and what is long is cut.
func shown(name string) string {
	var b strings.Builder
	n := 0
	for i, r := range name {
		if n++; n > longest {
			b.WriteString("…")
			break
		}
		switch _, size := utf8.DecodeRuneInString(name[i:]); {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, name[i])
		case r != ' ' && !unicode.IsGraphic(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.Is(unicode.Zs, r) && r != ' ':
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// shortFunc is a function's name without the directories of its package.
func shortFunc(name string) string {
	return shown(strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], "-fm"))
}

// ago is a duration to two figures, as people say it.
func ago(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/1e6)
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d h", int(d.Hours()))
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// culprit names who has run for longest, of those that are sorted so, to readers who have
// a queue in mind.
func culprit(by []holder, queue string) string {
	if len(by) == 0 {
		return ""
	}
	e := by[0]
	if e.Func == "" {
		return fmt.Sprintf("; %s is about to start", e.Worker)
	}
	of := ""
	if e.queue != queue {
		of = " of queue " + shown(e.queue)
	}
	s := fmt.Sprintf("; %s %s %s%s for %s%s", e.Worker, e.doing(), shortFunc(e.Func), of, ago(e.For), e.at())
	if len(by) > 1 {
		s += fmt.Sprintf(", and %d more", len(by)-1)
	}
	return s
}

func (h holder) doing() string {
	switch {
	case h.State == "sleeping":
		return "sleeps in"
	case h.State == "assumed asleep" || h.blocked():
		return "blocks in"
	case h.State == "hog" || h.State == "cpu-intensive":
		return "has the CPU in"
	}
	return "runs"
}

func adviceFor(by []holder) string {
	switch {
	case len(by) == 0:
		return ""
	case by[0].blocked() || by[0].State == "assumed asleep":
		return "Wrap what blocks in ctx.Block: then the pool starts other work meanwhile."
	}
	return "Declare long work CPUIntensive, or have it call ctx.Yield."
}
