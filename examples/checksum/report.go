package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// reportSums writes the sums, sorted by path, and returns the exit status.
func reportSums(stdout, stderr io.Writer, j *job, cfg *config, lines []queueLine, err error) int {
	files := j.results()
	slices.SortFunc(files, func(a, b *file) int { return strings.Compare(a.path, b.path) })
	out := bufio.NewWriterSize(stdout, 64<<10)
	failed := false
	for _, f := range files {
		if f.err != nil {
			failed = true
			complain(stderr, f.path, f.err)
		}
		switch {
		case cfg.json:
			writeJSON(out, cfg.algo.name, f)
		case f.err == nil:
			writeSum(out, f)
		}
	}
	return conclude(out, stderr, j, lines, err, failed)
}

// writeSum writes the line that sha256sum would.
func writeSum(out *bufio.Writer, f *file) {
	line := out.AvailableBuffer()
	path, escaped := escape(f.path)
	if escaped {
		line = append(line, '\\')
	}
	line = hex.AppendEncode(line, f.sum)
	line = append(line, "  "...)
	line = append(line, path...)
	line = append(line, '\n')
	_, _ = out.Write(line) // out keeps the error until it is flushed
}

// writeJSON writes one object for f.
func writeJSON(out io.Writer, algo string, f *file) {
	object := struct {
		Path      string `json:"path"`
		PathBytes []byte `json:"path_bytes,omitempty"` // when path is not UTF-8 and so not exact
		Algo      string `json:"algo"`
		Sum       string `json:"sum,omitempty"`
		Bytes     *int64 `json:"bytes,omitempty"`
		Error     string `json:"error,omitempty"`
	}{Path: f.path, Algo: algo}
	if !utf8.ValidString(f.path) {
		object.PathBytes = []byte(f.path)
	}
	if f.err != nil {
		object.Error = reason(f.err)
	} else {
		object.Sum, object.Bytes = hex.EncodeToString(f.sum), &f.bytes
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(object) // as above
}

// reportCheck writes how the files of a list compare, in the order of the list
// and in the words of sha256sum -c, and returns the exit status.
func reportCheck(stdout, stderr io.Writer, j *job, l *list, lines []queueLine, err error) int {
	files := j.results()
	slices.SortFunc(files, func(a, b *file) int { return cmp.Compare(a.index, b.index) })
	out := bufio.NewWriterSize(stdout, 64<<10)
	unread, differ := 0, 0
	for _, f := range files {
		result := "OK"
		switch {
		case f.err != nil:
			unread++
			result = "FAILED open or read"
			complain(stderr, f.path, f.err)
		case !bytes.Equal(f.sum, f.want):
			differ++
			result = "FAILED"
		}
		path := f.path
		if strings.Contains(path, "\n") {
			path, _ = escape(path)
			path = `\` + path
		}
		fmt.Fprintf(out, "%s: %s\n", path, result)
	}
	failed := unread+differ > 0
	if j.tally.listed.Load() {
		failed = l.summary(stderr) || failed
	}
	warn(stderr, unread, "listed file could not be read", "listed files could not be read")
	warn(stderr, differ, "computed checksum did NOT match", "computed checksums did NOT match")
	return conclude(out, stderr, j, lines, err, failed)
}

// summary complains about the list itself and reports whether it is useless.
func (l *list) summary(stderr io.Writer) (failed bool) {
	switch {
	case l.err != nil:
		complain(stderr, l.name, l.err)
		return true
	case l.proper == 0:
		fmt.Fprintf(stderr, "checksum: %s: no properly formatted checksum lines found\n", quote(l.name))
		return true
	}
	warn(stderr, l.improper, "line is improperly formatted", "lines are improperly formatted")
	return false
}

func warn(stderr io.Writer, n int, one, many string) {
	switch {
	case n == 1:
		fmt.Fprintf(stderr, "checksum: WARNING: 1 %s\n", one)
	case n > 1:
		fmt.Fprintf(stderr, "checksum: WARNING: %d %s\n", n, many)
	}
}

// conclude ends a report of either kind.
func conclude(out *bufio.Writer, stderr io.Writer, j *job, lines []queueLine, err error, failed bool) int {
	status := exitOK
	if failed {
		status = exitFailed
	}
	if flushErr := out.Flush(); flushErr != nil {
		fmt.Fprintf(stderr, "checksum: write error: %s\n", reason(flushErr))
		status = exitFailed
	}
	if err != nil {
		fmt.Fprintf(stderr, "checksum: %v\n", err)
		status = exitFailed
	}
	done, found, listed := j.tally.done.Load(), j.tally.found.Load(), j.tally.listed.Load()
	if !listed || done < found {
		what, more := "incomplete", ""
		status = exitFailed
		if j.stopped() {
			what, status = "interrupted", exitInterrupted
		}
		if !listed {
			more = ", more not looked for"
		}
		fmt.Fprintf(stderr, "checksum: %s: %d files done, %d found and not done%s\n", what, done, found-done, more)
	}
	writeQueues(stderr, lines)
	return status
}

// writeQueues writes what each queue has done in the columns of the kernel's
// wq_monitor. Neither queue has a rescuer that could answer a mayday.
func writeQueues(stderr io.Writer, lines []queueLine) {
	const format = "%-16s %8v %5v %8v %7v %8v %7v %7v\n"
	fmt.Fprintf(stderr, format, "", "total", "infl", "CPUtime", "CPUhog", "CMW/RPR", "mayday", "rescued")
	for _, l := range lines {
		s := l.stats
		fmt.Fprintf(stderr, format, l.name, s.Total, s.InFlight, fmt.Sprintf("%.2f", s.CPUTime.Seconds()),
			s.CPUHog, s.CMWakeup, "-", "-")
	}
}
