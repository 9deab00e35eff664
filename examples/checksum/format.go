package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

var (
	escaper   = strings.NewReplacer("\\", `\\`, "\n", `\n`, "\r", `\r`)
	unescaped = map[byte]byte{'\\': '\\', 'n': '\n', 'r': '\r'}
)

// escape makes path fit on a line; a line with an escaped path starts with a
// backslash.
func escape(path string) (escaped string, needed bool) {
	if !strings.ContainsAny(path, "\\\n\r") {
		return path, false
	}
	return escaper.Replace(path), true
}

// unescape undoes escape.
func unescape(escaped string) (path string, ok bool) {
	if strings.Contains(escaped, "\x00") {
		return "", false
	}
	var b strings.Builder
	for i := 0; i < len(escaped); i++ {
		c := escaped[i]
		if c == '\\' {
			if i++; i == len(escaped) {
				return "", false
			}
			if c, ok = unescaped[escaped[i]]; !ok {
				return "", false
			}
		}
		b.WriteByte(c)
	}
	return b.String(), true
}

// complain writes a message about path.
func complain(stderr io.Writer, path string, err error) {
	fmt.Fprintf(stderr, "checksum: %s: %s\n", quote(path), reason(err))
}

// reason is what a message says about err: what the system says, without the
// operation and the path, which Go adds.
func reason(err error) string {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		text := errno.Error()
		return strings.ToUpper(text[:1]) + text[1:]
	}
	return err.Error()
}

// quote returns path as messages show it: as it is if a shell would take it so,
// else in quotes, with nothing in it that a terminal might obey.
func quote(path string) string {
	plain, simple := path != "", true
	for i, r := range path {
		switch {
		case r == utf8.RuneError || !unicode.IsPrint(r), strings.ContainsRune("\\!\"$&()*;<=>?[^`|", r):
			plain, simple = false, false
		case strings.ContainsRune(" ':", r), i == 0 && (r == '#' || r == '~'), path == "{", path == "}":
			plain = false
		case strings.ContainsRune("#~{}", r):
			simple = false
		}
	}
	switch {
	case plain:
		return path
	case simple && strings.Contains(path, "'"):
		return `"` + path + `"`
	}
	return shellQuote(path)
}

// shellQuote puts s in single quotes, and what cannot be shown in escapes between them.
func shellQuote(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	hidden := false // in a $'' part
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		shown := unicode.IsPrint(r) && (r != utf8.RuneError || n > 1)
		switch {
		case !shown && !hidden:
			b.WriteString("'$'")
		case shown && hidden && r != '\'':
			b.WriteString("''")
		}
		hidden = !shown
		switch {
		case r == '\'':
			b.WriteString(`'\''`)
		case shown:
			b.WriteString(s[:n])
		default:
			for i := range n {
				b.WriteString(octal(s[i]))
			}
		}
		s = s[n:]
	}
	b.WriteByte('\'')
	return b.String()
}

func octal(c byte) string {
	if i := strings.IndexByte("\a\b\t\n\v\f\r", c); i >= 0 {
		return `\` + "abtnvfr"[i:i+1]
	}
	return fmt.Sprintf(`\%03o`, c)
}
