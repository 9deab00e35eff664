package topology

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// String returns the text that [Parse] reads back as the same topology: equal
// topologies have equal texts. It is of the counted form, all four levels
// written out, when the CPUs are numbered depth first without holes; otherwise
// of the listed form. The zero Topology gives "". It costs as much as building
// the topology.
func (t *Topology) String() string {
	if len(t.units) == 0 {
		return ""
	}
	if text, ok := t.counted(); ok {
		return text
	}
	return t.listed()
}

// counted supposes that the topology is one that the counted form can say,
// writes down its counts, and looks whether they give the same topology.
func (t *Topology) counted() (string, bool) {
	var nodes []part
	for i, u := range t.units {
		if i == 0 || u.node != t.units[i-1].node {
			nodes = append(nodes, part{nodes: 1})
		}
		p := &nodes[len(nodes)-1]
		if u.cpu == u.llc {
			p.cores = append(p.cores, 0)
		}
		if u.cpu == u.core && len(p.cores) > 0 {
			p.cores[len(p.cores)-1]++
		}
		if len(p.cores) == 1 && p.cores[0] == 1 {
			p.threads++ // counted on the node's first core
		}
	}
	var parts []part
	for _, p := range nodes {
		if last := len(parts) - 1; last >= 0 && parts[last].threads == p.threads && slices.Equal(parts[last].cores, p.cores) {
			parts[last].nodes++
		} else {
			parts = append(parts, p)
		}
	}
	total := 0
	for _, p := range parts {
		if total += p.cpus(); total > len(t.units) {
			return "", false // wrong, and maybe much to expand
		}
	}
	units := expand(parts)
	canonicalise(units)
	if !slices.Equal(units, t.units) {
		return "", false
	}
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.String()
	}
	return strings.Join(texts, " | "), true
}

func (p part) String() string {
	sizes := p.cores
	if slices.Min(sizes) == slices.Max(sizes) {
		sizes = sizes[:1]
	}
	texts := make([]string, len(sizes))
	for i, n := range sizes {
		texts[i] = strconv.Itoa(n)
	}
	return fmt.Sprintf("numa:%d llc:%d core:%s smt:%d", p.nodes, len(p.cores), strings.Join(texts, ","), p.threads)
}

// listed writes the listed form. Cores with equally many threads make one smt
// word: the first threads of all, the second threads of all, and so on.
func (t *Topology) listed() string {
	var words []string
	for _, pod := range t.scopes[ScopeNUMA].pods {
		words = append(words, fmt.Sprintf("node%d=%s", pod.Node, formatList(pod.CPUs.List())))
	}
	if !slices.Equal(t.scopes[ScopeNUMA].of, t.scopes[ScopeCache].of) {
		for _, pod := range t.scopes[ScopeCache].pods {
			words = append(words, "llc="+formatList(pod.CPUs.List()))
		}
	}
	threads := make(map[int][][]int) // threads a core → lists
	for _, pod := range t.scopes[ScopeSMT].pods {
		cpus := pod.CPUs.List()
		if len(cpus) < 2 {
			continue
		}
		lists := threads[len(cpus)]
		if lists == nil {
			lists = make([][]int, len(cpus))
			threads[len(cpus)] = lists
		}
		for i, cpu := range cpus {
			lists[i] = append(lists[i], cpu)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(threads)) {
		texts := make([]string, n)
		for i, list := range threads[n] {
			texts[i] = formatList(list)
		}
		words = append(words, "smt="+strings.Join(texts, "+"))
	}
	return strings.Join(words, " ")
}

// formatList writes CPUs in the order given, as the scanner's list reads them.
func formatList(cpus []int) string {
	var b strings.Builder
	for i := 0; i < len(cpus); {
		if i > 0 {
			b.WriteByte(',')
		}
		step, n := 0, 1 // the row of n CPUs from here with equal steps upwards
		if i+1 < len(cpus) && cpus[i+1] > cpus[i] {
			step = cpus[i+1] - cpus[i]
			for i+n < len(cpus) && cpus[i+n]-cpus[i+n-1] == step {
				n++
			}
		}
		switch {
		case step == 1:
			fmt.Fprintf(&b, "%d-%d", cpus[i], cpus[i+n-1])
		case n > 2:
			fmt.Fprintf(&b, "%d-%d/%d", cpus[i], cpus[i+n-1], step)
		default:
			n = 1
			b.WriteString(strconv.Itoa(cpus[i]))
		}
		i += n
	}
	return b.String()
}
