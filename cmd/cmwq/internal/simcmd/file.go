// Package simcmd shows what the simulators of the library's decisions find: which
// item runs when, what affinity scopes cost, and which scope suits a load.
package simcmd

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/cmwq/cmwq/internal/sim"
)

// Story is one scenario of a file.
type Story struct {
	About    string // its comment
	Line     int    // where it begins
	Scenario sim.Scenario
	Want     string // what should happen, as the file has it; "" if it does not say
}

// FileError is an error in a line of a file.
type FileError struct {
	File string
	Line int
	Err  error
}

// Error begins with the place, as compilers' errors do.
func (e *FileError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap is what is wrong.
func (e *FileError) Unwrap() error { return e.Err }

// Read reads the scenarios of a file, in the form of the library's golden files:
// comments, the word run, a scenario, ----, what happens, and a blank line before the
// next one. A file without run is one scenario.
func Read(name, text string) ([]Story, error) {
	r := reader{name: name, lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	var stories []Story
	var about []string
	for r.at < len(r.lines) {
		switch line := r.line(); {
		case line == "":
			about = nil
			r.at++
		case line[0] == '#':
			about = append(about, strings.TrimPrefix(strings.TrimPrefix(line, "#"), " "))
			r.at++
		default:
			story, err := r.story()
			if err != nil {
				return nil, err
			}
			story.About, about = strings.Join(about, "\n"), nil
			stories = append(stories, story)
		}
	}
	if len(stories) == 0 {
		return nil, &FileError{name, len(r.lines), errors.New(`no scenario: want lines such as "item w0 q0: burn 5, sleep 10"`)}
	}
	return stories, nil
}

// reader is at a line of a file.
type reader struct {
	name  string
	lines []string
	at    int
}

func (r *reader) line() string { return strings.TrimSpace(r.lines[r.at]) }

// story reads a scenario, and what should happen if that follows.
func (r *reader) story() (Story, error) {
	line := r.at + 1
	run := r.line() == "run"
	if run {
		r.at++
	}
	first := r.at
	for r.at < len(r.lines) && r.line() != rule && (!run || r.line() != "") {
		r.at++
	}
	st, err := read(r.name, r.lines, first, r.at)
	st.Line = line
	if r.at < len(r.lines) && r.line() == rule {
		for r.at++; r.at < len(r.lines) && r.line() != ""; r.at++ {
			st.Want += r.lines[r.at] + "\n"
		}
	}
	return st, err
}

// rule stands between a scenario and what should happen.
const rule = "----"

// read parses some lines of a file; its errors name the file's lines.
func read(name string, lines []string, first, end int) (Story, error) {
	s, err := sim.Parse(strings.Repeat("\n", first) + strings.Join(lines[first:end], "\n"))
	if err == nil && len(s.Items) == 0 {
		err = errors.New("no item")
	}
	if err == nil {
		return Story{Scenario: s}, nil
	}
	e := &FileError{name, min(first+1, len(lines)), err}
	if m := ofLine.FindStringSubmatch(err.Error()); m != nil {
		e.Line, _ = strconv.Atoi(m[1])
		e.Err = errors.New(m[2])
	}
	return Story{}, e
}

var ofLine = regexp.MustCompile(`^line (\d+): (.*)$`)
