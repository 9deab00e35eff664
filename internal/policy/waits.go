package policy

// Waits is a picture of who waits for whom at one moment: the executions that
// wait, and what they wait for. A node goes on when what it waits for does: all
// of it or, for one that waits for a slot of max_active, as many as must end before
// one is free. A node that waits for nothing goes on.
//
// It is the kernel's lock dependencies, for waits that have begun: what is
// reported is a deadlock, not the chance of one.
type Waits struct{ nodes []waitNode }

type waitNode struct {
	need int   // how many of to must go on; 0: all
	to   []int // what it waits for
	from []int // who waits for it
	left int   // of to, those that must go on before it does
}

// Node adds one that waits for so many of the edges it gets; 0 is for all.
func (g *Waits) Node(need int) int {
	g.nodes = append(g.nodes, waitNode{need: need})
	return len(g.nodes) - 1
}

// Edge says that one waits for another.
func (g *Waits) Edge(from, to int) {
	g.nodes[from].to = append(g.nodes[from].to, to)
	g.nodes[to].from = append(g.nodes[to].from, from)
}

// Stuck says of each node whether it can never go on. Every edge is looked at
// once.
func (g *Waits) Stuck() []bool {
	stuck := make([]bool, len(g.nodes))
	var next []int
	for i := range g.nodes {
		n := &g.nodes[i]
		stuck[i], n.left = true, len(n.to)
		if n.need > 0 {
			n.left = min(n.need, len(n.to))
		}
		if n.left == 0 {
			stuck[i] = false
			next = append(next, i)
		}
	}
	for len(next) > 0 {
		i := next[len(next)-1]
		next = next[:len(next)-1]
		for _, j := range g.nodes[i].from {
			n := &g.nodes[j]
			if n.left--; n.left == 0 {
				stuck[j] = false
				next = append(next, j)
			}
		}
	}
	return stuck
}

// Cycle is a shortest way from a node back to itself along nodes that are stuck,
// without the node at its end; nil if there is none. One that only waits for a
// cycle of others is not on it: it is for them to give way.
func (g *Waits) Cycle(at int, stuck []bool) []int {
	if !stuck[at] {
		return nil
	}
	by := make([]int, len(g.nodes)) // who led to it first, from 1; 0: nobody yet
	next := []int{at}
	for len(next) > 0 {
		i := next[0]
		next = next[1:]
		for _, j := range g.nodes[i].to {
			if j == at {
				return g.way(at, i, by)
			}
			if stuck[j] && by[j] == 0 {
				by[j] = i + 1
				next = append(next, j)
			}
		}
	}
	return nil
}

func (g *Waits) way(from, to int, by []int) []int {
	way := []int{to}
	for to != from {
		to = by[to] - 1
		way = append(way, to)
	}
	for i, j := 0, len(way)-1; i < j; i, j = i+1, j-1 {
		way[i], way[j] = way[j], way[i]
	}
	return way
}
