package topology

// word is one word of the listed form.
type word struct {
	offset int
	node   int     // of a node word
	lists  [][]int // one, or several for smt
}

// machine collects the CPUs that the words of the listed form place.
type machine struct {
	s     *scanner
	units map[int]*unit
}

// listed reads the listed form: first all its words, then the nodes, which
// say what CPUs there are, then the caches and cores, so that words may come
// in any order.
func (s *scanner) listed() ([]unit, error) {
	var nodes, llcs, smts []word
	for !s.end() {
		w := word{offset: s.pos}
		var err error
		switch {
		case s.skip("node"):
			if w.node, err = s.number(0, MaxCPUs-1); err == nil && !s.skip("=") {
				err = s.errorf(s.pos, "want =")
			}
			if err == nil {
				nodes, err = s.word(nodes, w)
			}
		case s.skip("llc="):
			llcs, err = s.word(llcs, w)
		case s.skip("smt="):
			smts, err = s.word(smts, w)
		default:
			err = s.errorf(s.pos, "want node, llc= or smt=")
		}
		if err != nil {
			return nil, err
		}
	}

	m := machine{s: s, units: make(map[int]*unit)}
	if err := m.nodes(nodes); err != nil {
		return nil, err
	}
	if err := m.llcs(llcs); err != nil {
		return nil, err
	}
	if err := m.cores(smts); err != nil {
		return nil, err
	}
	units := make([]unit, 0, len(m.units))
	for _, u := range m.units {
		units = append(units, *u)
	}
	return units, nil
}

// word reads the lists of a word and adds it to words.
func (s *scanner) word(words []word, w word) ([]word, error) {
	for {
		list, err := s.list()
		if err != nil {
			return nil, err
		}
		w.lists = append(w.lists, list)
		if !s.skip("+") {
			break
		}
	}
	if s.pos < len(s.text) && !isBlank(s.text[s.pos]) {
		return nil, s.errorf(s.pos, "unexpected text after a list")
	}
	return append(words, w), nil
}

// nodes makes a unit of each CPU, in the node's cache and a core of its own.
func (m *machine) nodes(words []word) error {
	seen := make(map[int]bool)
	for _, w := range words {
		if seen[w.node] {
			return m.s.errorf(w.offset, "node%d twice", w.node)
		}
		seen[w.node] = true
		if len(w.lists) > 1 {
			return m.s.errorf(w.offset, "a node has one list")
		}
		for _, cpu := range w.lists[0] {
			if m.units[cpu] != nil {
				return m.s.errorf(w.offset, "CPU %d is in a node already", cpu)
			}
			m.units[cpu] = &unit{cpu: cpu, node: w.node, llc: w.node, core: cpu}
		}
	}
	if len(m.units) == 0 {
		return m.s.errorf(len(m.s.text), "no node")
	}
	return nil
}

// llcs numbers the caches anew if there are words for them.
func (m *machine) llcs(words []word) error {
	placed := make(map[int]bool)
	for i, w := range words {
		if len(w.lists) > 1 {
			return m.s.errorf(w.offset, "a cache has one list")
		}
		for _, cpu := range w.lists[0] {
			switch u := m.units[cpu]; {
			case u == nil:
				return m.s.errorf(w.offset, "CPU %d is in no node", cpu)
			case placed[cpu]:
				return m.s.errorf(w.offset, "CPU %d is in a cache already", cpu)
			default:
				placed[cpu], u.llc = true, i
			}
		}
	}
	if len(words) > 0 && len(placed) < len(m.units) {
		return m.s.errorf(len(m.s.text), "%d CPUs are in no cache", len(m.units)-len(placed))
	}
	return nil
}

// cores joins the threads that smt words name.
func (m *machine) cores(words []word) error {
	placed := make(map[int]bool)
	for _, w := range words {
		leaders := w.lists[0]
		if len(w.lists) < 2 {
			return m.s.errorf(w.offset, "want two lists of threads or more, joined by +")
		}
		for _, list := range w.lists {
			if len(list) != len(leaders) {
				return m.s.errorf(w.offset, "lists of %d and %d threads", len(leaders), len(list))
			}
			for i, cpu := range list {
				u, leader := m.units[cpu], m.units[leaders[i]]
				switch {
				case u == nil:
					return m.s.errorf(w.offset, "CPU %d is in no node", cpu)
				case placed[cpu]:
					return m.s.errorf(w.offset, "CPU %d is in a core already", cpu)
				case u.llc != leader.llc:
					return m.s.errorf(w.offset, "CPUs %d and %d share a core but no cache", leader.cpu, cpu)
				}
				placed[cpu], u.core = true, leader.cpu
			}
		}
	}
	return nil
}
