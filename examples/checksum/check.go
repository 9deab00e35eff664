package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"io"
	"iter"
	"os"
	"strings"
)

// A list is a file of sums to be checked. Its counts are final once files has
// come to its end.
type list struct {
	name     string
	algo     algorithm
	file     io.ReadCloser
	lines    *bufio.Reader
	stdin    bool
	style    style
	proper   int
	improper int
	err      error
}

// style is whether one space or two stand between sum and path. A list may not
// mix them: a path that begins with a space would be two things.
type style int

const (
	anySpace style = iota
	oneSpace
	twoSpaces
)

func openList(path string, stdin io.Reader, algo algorithm) (*list, error) {
	l := &list{name: path, algo: algo, stdin: path == "-"}
	if l.stdin {
		l.name = "standard input"
	}
	var err error
	if l.file, err = opener(stdin)(path); err != nil {
		return nil, err
	}
	l.lines = bufio.NewReader(l.file)
	return l, nil
}

// listPart is how many lines are taken at a time.
const listPart = 64

// files is the source of the files that the list names.
func (l *list) files(block func(func()) bool) iter.Seq[file] {
	return func(yield func(file) bool) {
		part := make([]file, 0, listPart)
		for more := true; more; {
			goOn := block(func() { part, more = l.read(part[:0]) })
			for i := 0; goOn && i < len(part); i++ {
				goOn = yield(part[i])
			}
			if !goOn {
				return
			}
		}
	}
}

// read appends the files of the next lines to part.
func (l *list) read(part []file) (_ []file, more bool) {
	for len(part) < cap(part) {
		line, err := l.lines.ReadBytes('\n')
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if len(line) > 0 && line[0] != '#' {
			if f, ok := l.parse(string(line)); ok {
				if info, err := os.Stat(f.path); err == nil && info.Mode().IsRegular() {
					f.size = info.Size()
				}
				f.index = l.proper
				l.proper++
				part = append(part, f)
			} else {
				l.improper++
			}
		}
		if err != nil {
			if err != io.EOF {
				l.err = err
			}
			return part, false
		}
	}
	return part, true
}

// parse takes a line apart: "SUM  PATH", "SUM *PATH", "SUM PATH" or
// "TAG (PATH) = SUM", after a backslash if PATH is escaped.
func (l *list) parse(line string) (f file, ok bool) {
	line = strings.TrimLeft(line, " \t")
	line, escaped := strings.CutPrefix(line, `\`)
	sum, path, ok := l.tagged(line)
	if !ok {
		sum, path, ok = l.spaced(line)
	}
	if !ok {
		return file{}, false
	}
	if escaped {
		if path, ok = unescape(path); !ok {
			return file{}, false
		}
	}
	want, err := hex.DecodeString(sum)
	if err != nil || len(want) != l.algo.size || path == "" || l.stdin && path == "-" {
		return file{}, false
	}
	path, _, _ = strings.Cut(path, "\x00") // no path has one
	return file{path: path, want: want}, true
}

func (l *list) tagged(line string) (sum, path string, ok bool) {
	if line, ok = strings.CutPrefix(line, l.algo.tag); !ok {
		return "", "", false
	}
	if line, ok = strings.CutPrefix(strings.TrimPrefix(line, " "), "("); !ok {
		return "", "", false
	}
	end := strings.LastIndexByte(line, ')')
	if end < 0 {
		return "", "", false
	}
	sum, ok = strings.CutPrefix(strings.TrimLeft(line[end+1:], " \t"), "=")
	return strings.TrimLeft(sum, " \t"), line[:end], ok
}

func (l *list) spaced(line string) (sum, path string, ok bool) {
	n := 2 * l.algo.size
	if len(line) < n+2 || line[n] != ' ' && line[n] != '\t' {
		return "", "", false
	}
	sum, path = line[:n], line[n+1:]
	if strings.Trim(sum, "0123456789abcdefABCDEF") != "" {
		return "", "", false // and says nothing about the style
	}
	found := oneSpace
	if len(path) > 1 && (path[0] == ' ' || path[0] == '*') {
		found = twoSpaces
	}
	if l.style == anySpace {
		l.style = found
	}
	switch {
	case l.style == twoSpaces && found == oneSpace:
		return "", "", false
	case l.style == twoSpaces:
		path = path[1:]
	}
	return sum, path, true
}
