package topology

import (
	"fmt"
	"strings"
)

// maxListed bounds the CPUs of all lists of a text: a CPU may be in one node,
// one cache and one core. It keeps a short text from asking for much memory.
const maxListed = 3 * MaxCPUs

// scanner walks over a text. Its methods leave the position where the trouble
// is when they fail.
type scanner struct {
	text  string
	pos   int
	total int // CPUs in all lists so far
}

func (s *scanner) errorf(offset int, format string, args ...any) error {
	return &ParseError{Text: s.text, Offset: offset, Reason: fmt.Sprintf(format, args...)}
}

func (s *scanner) rest() string { return s.text[s.pos:] }

// skip steps over word if it is next.
func (s *scanner) skip(word string) bool {
	if !strings.HasPrefix(s.rest(), word) {
		return false
	}
	s.pos += len(word)
	return true
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func (s *scanner) blanks() {
	for s.pos < len(s.text) && isBlank(s.text[s.pos]) {
		s.pos++
	}
}

// end steps over blanks and reports whether nothing follows.
func (s *scanner) end() bool {
	s.blanks()
	return s.pos == len(s.text)
}

// wordEnds reports whether a blank, a bar or the end is next.
func (s *scanner) wordEnds() bool {
	return s.pos == len(s.text) || isBlank(s.text[s.pos]) || s.text[s.pos] == '|'
}

// number reads a decimal number without sign from low to high, both allowed.
func (s *scanner) number(low, high int) (int, error) {
	start, n := s.pos, 0
	for s.pos < len(s.text) && s.text[s.pos] >= '0' && s.text[s.pos] <= '9' {
		// Stop growing once too large: a long row of digits must not wrap.
		n = min(n*10+int(s.text[s.pos]-'0'), high+1)
		s.pos++
	}
	switch {
	case s.pos == start:
		return 0, s.errorf(start, "want a number")
	case n < low || n > high:
		return 0, s.errorf(start, "want a number from %d to %d", low, high)
	}
	return n, nil
}

// list reads CPU numbers and keeps their order: "3,0-2,8-12/2" is 3, 0, 1, 2,
// 8, 10, 12.
func (s *scanner) list() ([]int, error) {
	var cpus []int
	for {
		start := s.pos
		first, err := s.number(0, MaxCPUs-1)
		if err != nil {
			return nil, err
		}
		last, step := first, 1
		if s.skip("-") {
			if last, err = s.number(first, MaxCPUs-1); err != nil {
				return nil, err
			}
			if s.skip("/") {
				if step, err = s.number(1, MaxCPUs-1); err != nil {
					return nil, err
				}
			}
		}
		had := len(cpus)
		for cpu := first; cpu <= last; cpu += step {
			cpus = append(cpus, cpu)
		}
		if s.total += len(cpus) - had; s.total > maxListed {
			return nil, s.errorf(start, "a CPU is listed too often")
		}
		if !s.skip(",") {
			return cpus, nil
		}
	}
}
