package stacks

import (
	"bufio"
	"bytes"
	"io"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
)

// Group is goroutines with equal stacks and labels.
type Group struct {
	N      int
	Labels map[string]string // nil: none
	pcs    []uintptr
}

// Frames gives the stack, innermost call first. Calls that the compiler inlined are in
// it.
func (g *Group) Frames() []runtime.Frame {
	frames := make([]runtime.Frame, 0, len(g.pcs))
	for it := runtime.CallersFrames(g.pcs); ; {
		f, more := it.Next()
		frames = append(frames, f)
		if !more {
			return frames
		}
	}
}

// Calls says whether the function with this entry is on the stack; unlike Frames it is
// cheap. Functions that the compiler inlined are not found.
func (g *Group) Calls(entry uintptr) bool {
	return slices.ContainsFunc(g.pcs, func(pc uintptr) bool {
		f := runtime.FuncForPC(pc - 1) // they are return addresses
		return f != nil && f.Entry() == entry
	})
}

// Profile takes the process's goroutine profile, and gives the groups that keep keeps.
// The world is stopped twice, for about 20 µs; then it takes some 5 µs a goroutine.
func Profile(keep func(*Group) bool) ([]Group, error) {
	r := &reader{keep: keep}
	err := pprof.Lookup("goroutine").WriteTo(r, 1)
	r.close()
	return r.groups, err
}

// Read gives the groups of a profile that was written as text (debug=1).
func Read(text io.Reader, keep func(*Group) bool) ([]Group, error) {
	r := &reader{keep: keep}
	_, err := bufio.NewReader(text).WriteTo(r)
	r.close()
	return r.groups, err
}

// reader takes the text as it is written; what is not asked for is not kept.
type reader struct {
	keep   func(*Group) bool
	groups []Group
	head   []byte            // of the group that is read: N @ 0x1 0x2; nil before the first
	labels map[string]string // its labels
	part   []byte            // of a line that is not complete
}

// Write is called with pieces of any length.
func (r *reader) Write(b []byte) (int, error) {
	n := len(b)
	for {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			r.part = append(r.part, b...)
			return n, nil
		}
		if len(r.part) > 0 {
			r.part = append(r.part, b[:i]...)
			r.line(r.part)
			r.part = r.part[:0]
		} else {
			r.line(b[:i])
		}
		b = b[i+1:]
	}
}

var (
	labelLine = []byte("# labels: ")
	atSign    = []byte(" @")
)

func (r *reader) line(l []byte) {
	switch {
	case bytes.HasPrefix(l, labelLine):
		r.labels = labelsOf(string(l[len(labelLine):]))
	case len(l) > 0 && '0' <= l[0] && l[0] <= '9' && bytes.Contains(l, atSign):
		r.end()
		r.head = append(r.head[:0], l...)
	}
}

// close ends the text.
func (r *reader) close() {
	r.line(r.part)
	r.end()
}

// end ends the group that is read.
func (r *reader) end() {
	if len(r.head) > 0 {
		fields := strings.Fields(string(r.head))
		g := Group{Labels: r.labels}
		g.N, _ = strconv.Atoi(fields[0])
		for _, f := range fields[2:] {
			pc, err := strconv.ParseUint(f, 0, 64)
			if err != nil {
				break
			}
			g.pcs = append(g.pcs, uintptr(pc))
		}
		if r.keep(&g) {
			r.groups = append(r.groups, g)
		}
	}
	r.head, r.labels = r.head[:0], nil
}

// labelsOf reads {"key":"value", "key":"value"}.
func labelsOf(text string) map[string]string {
	labels := map[string]string{}
	text = strings.TrimPrefix(text, "{")
	for {
		key, rest, ok := quoted(text)
		if !ok {
			return labels
		}
		value, rest, ok := quoted(strings.TrimPrefix(rest, ":"))
		if !ok {
			return labels
		}
		labels[key] = value
		text = strings.TrimPrefix(rest, ", ")
	}
}

// quoted reads a quoted string off the front.
func quoted(text string) (s, rest string, ok bool) {
	q, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", "", false
	}
	s, err = strconv.Unquote(q)
	return s, text[len(q):], err == nil
}
