// Package simcmd shows what the simulators of the library's decisions find: which
// item runs when, what affinity scopes cost, and which scope suits a load.
package simcmd

import (
	"fmt"
	"regexp"
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
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var stories []Story
	var about []string
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		switch {
		case line == "":
			about = nil
		case line[0] == '#':
			about = append(about, strings.TrimPrefix(strings.TrimPrefix(line, "#"), " "))
		default:
			first := i
			if line == "run" {
				first++
			}
			end := first
			for end < len(lines) && strings.TrimSpace(lines[end]) != "----" && !(line == "run" && strings.TrimSpace(lines[end]) == "") {
				end++
			}
			story, err := read(name, lines, first, end)
			if err != nil {
				return nil, err
			}
			story.About, story.Line, about = strings.Join(about, "\n"), i+1, nil
			i = end
			if end < len(lines) && strings.TrimSpace(lines[end]) == "----" {
				for i++; i < len(lines) && strings.TrimSpace(lines[i]) != ""; i++ {
					story.Want += lines[i] + "\n"
				}
			}
			stories = append(stories, story)
		}
	}
	if len(stories) == 0 {
		return nil, &FileError{name, len(lines), fmt.Errorf("no scenario: want lines such as \"item w0 q0: burn 5, sleep 10\"")}
	}
	return stories, nil
}

// read parses some lines of a file; its errors name the file's lines.
func read(name string, lines []string, first, end int) (Story, error) {
	s, err := sim.Parse(strings.Repeat("\n", first) + strings.Join(lines[first:end], "\n"))
	if err == nil && len(s.Items) == 0 {
		err = fmt.Errorf("no item")
	}
	if err == nil {
		return Story{Scenario: s}, nil
	}
	e := &FileError{name, first + 1, err}
	if m := ofLine.FindStringSubmatch(err.Error()); m != nil {
		fmt.Sscan(m[1], &e.Line)
		e.Err = fmt.Errorf("%s", m[2])
	}
	return Story{}, e
}

var ofLine = regexp.MustCompile(`^line (\d+): (.*)$`)
