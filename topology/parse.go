package topology

import (
	"fmt"
	"strings"
)

// ParseError reports a text that describes no topology.
type ParseError struct {
	Text   string // all of it
	Offset int    // in bytes, where the trouble begins; len(Text) when something is missing at the end
	Reason string
}

// Error quotes the text, shortened when it is long.
func (e *ParseError) Error() string {
	return fmt.Sprintf("topology: %s at offset %d of %.60q", e.Reason, e.Offset, e.Text)
}

// Parse reads a topology from a text of one of two forms. Blanks between words
// may be spaces, tabs or line ends. [Topology.String] writes either form, and
// what it writes reads back as the same topology. Any other text gives a
// [*ParseError]; so does one of more than [MaxCPUs] CPUs.
//
// The counted form numbers CPUs depth first, threads of a core side by side:
//
//	text  = part { "|" part }
//	part  = [ "numa:" N ] [ "llc:" N ] [ "core:" N { "," N } ] [ "smt:" N ]
//
// It reads: so many memory nodes, each with so many last-level caches, each
// with so many cores, each with so many threads. A level left out counts one,
// but a part has at least one word. Several numbers of cores are the sizes of
// the caches of each node. The nodes of a part follow those of the part before.
//
//	core:8                          eight CPUs, one cache
//	numa:2 llc:2 core:6 smt:2       48 CPUs in 4 caches of 6 cores
//	core:3,8,11                     one node, three caches of different sizes
//	core:12 | core:4                a node of 12 CPUs and one of 4
//	numa:2 core:8 smt:2 | core:4    two nodes of 16 CPUs and one of 4
//
// The listed form names each CPU and so can describe any machine:
//
//	text  = word { word }
//	word  = "node" N "=" list  |  "llc=" list  |  "smt=" list "+" list { "+" list }
//	list  = range { "," range }
//	range = N [ "-" N [ "/" step ] ]
//
// The nodes hold all the CPUs. The caches, when there are any words for them,
// hold each CPU once; otherwise each node is one cache. In an smt word the
// lists are equally long, and the CPUs at the same place in each are threads
// of one core; a CPU in no such word is a core of its own.
//
//	node0=0-2,6-8                                 a machine with a hole
//	node0=0-3,8-11 node1=4-7,12-15 smt=0-7+8-15   threads numbered last
//	node0=0-11 smt=0-6/2+1-7/2                    0 and 1 share a core, 2 and 3, 4 and 5, 6 and 7
//	node0=0-3 node1=4-7 llc=0-7                   a cache that spans nodes
//
// It costs about as much as building a topology of that size.
func Parse(text string) (*Topology, error) {
	s := &scanner{text: text}
	read := s.counted
	if strings.Contains(text, "=") {
		read = s.listed
	}
	units, err := read()
	if err != nil {
		return nil, err
	}
	return build(units), nil
}

var levels = [...]string{"numa:", "llc:", "core:", "smt:"}

// counted reads the counted form.
func (s *scanner) counted() ([]unit, error) {
	var parts []part
	total := 0
	for {
		start := s.pos
		p, err := s.part()
		if err != nil {
			return nil, err
		}
		if total += p.cpus(); total > MaxCPUs {
			return nil, s.errorf(start, "more than %d CPUs", MaxCPUs)
		}
		parts = append(parts, p)
		if s.end() {
			return expand(parts), nil
		}
		if !s.skip("|") {
			return nil, s.errorf(s.pos, "want numa:, llc:, core:, smt: in this order, or |")
		}
	}
}

// part reads the words of one part.
func (s *scanner) part() (part, error) {
	values := [len(levels)][]int{}
	words, coreAt := 0, 0
	for i, level := range levels {
		s.blanks()
		values[i] = []int{1}
		if !s.skip(level) {
			continue
		}
		words++
		n, err := s.number(1, MaxCPUs)
		if err != nil {
			return part{}, err
		}
		values[i][0] = n
		for level == "core:" && s.skip(",") {
			coreAt = s.pos
			if n, err = s.number(1, MaxCPUs); err != nil {
				return part{}, err
			}
			values[i] = append(values[i], n)
		}
		if !s.wordEnds() {
			return part{}, s.errorf(s.pos, "unexpected text after a number")
		}
	}
	s.blanks()
	if words == 0 {
		return part{}, s.errorf(s.pos, "want numa:, llc:, core: or smt:")
	}
	llcs, cores := values[1][0], values[2]
	switch {
	case len(cores) == 1:
		for len(cores) < llcs {
			cores = append(cores, cores[0])
		}
	case llcs != 1 && llcs != len(cores):
		return part{}, s.errorf(coreAt, "%d sizes for %d caches", len(cores), llcs)
	}
	return part{nodes: values[0][0], cores: cores, threads: values[3][0]}, nil
}
