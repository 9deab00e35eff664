package topology

// Uniform returns a machine of nodes memory nodes, each with llcs last-level
// caches, each with cores cores, each with threads hardware threads. CPUs are
// numbered depth first, so that the threads of a core are neighbours. Each
// number must be from 1 to [MaxCPUs], and so must their product; otherwise the
// error is a [*SizeError], which for the product counts the CPUs only up to the
// number that made them too many.
func Uniform(nodes, llcs, cores, threads int) (*Topology, error) {
	total := 1
	for _, c := range []struct {
		what string
		n    int
	}{{"nodes", nodes}, {"llcs", llcs}, {"cores", cores}, {"threads", threads}} {
		if c.n < 1 || c.n > MaxCPUs {
			return nil, &SizeError{What: c.what, Got: c.n, Min: 1, Max: MaxCPUs}
		}
		// Both factors are at most 2^13, so this fits an int of 32 bits.
		if total *= c.n; total > MaxCPUs {
			return nil, &SizeError{What: "CPUs", Got: total, Min: 1, Max: MaxCPUs}
		}
	}
	p := part{nodes: nodes, cores: make([]int, llcs), threads: threads}
	for i := range p.cores {
		p.cores[i] = cores
	}
	return build(expand([]part{p})), nil
}

// part is a run of nodes that are alike.
type part struct {
	nodes   int
	cores   []int // of each cache of a node
	threads int   // of each core
}

// cpus returns the number of CPUs, or anything above MaxCPUs when there are
// more than that.
func (p part) cpus() int {
	total := 0
	for _, n := range p.cores {
		if total += n; total > MaxCPUs {
			return total
		}
	}
	if total *= p.threads; total > MaxCPUs {
		return total
	}
	return total * p.nodes
}

// expand numbers the CPUs and nodes of parts depth first.
func expand(parts []part) []unit {
	var units []unit
	var node, llc, core int
	for _, p := range parts {
		for range p.nodes {
			for _, cores := range p.cores {
				for range cores {
					for range p.threads {
						units = append(units, unit{cpu: len(units), node: node, llc: llc, core: core})
					}
					core++
				}
				llc++
			}
			node++
		}
	}
	return units
}
