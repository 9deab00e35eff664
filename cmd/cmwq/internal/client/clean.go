package client

import (
	"fmt"
	"strings"
	"unicode"
)

// Clean makes text of a program safe for a terminal: what would move the cursor,
// change colours or turn the direction of writing is shown as what it is. Line ends
// and tabs stay.
func Clean(text string) string {
	return clean(text, func(r rune) bool { return r == '\n' || r == '\t' })
}

// CleanLine is Clean for what must be one line, such as a name.
func CleanLine(text string) string {
	return clean(text, func(rune) bool { return false })
}

func clean(text string, keep func(rune) bool) string {
	bad := func(r rune) bool {
		return !keep(r) && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r))
	}
	if strings.IndexFunc(text, bad) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !bad(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
