package policy

import (
	"maps"
	"slices"
)

// Least is what each node has at least; 0: they share one limit.
func (d Division) Least() int { return d.least }

// Nodes are those that have a part of their own, ascending; none if they share one
// limit.
func (d Division) Nodes() []int {
	if !d.Divided() {
		return nil
	}
	return slices.Sorted(maps.Keys(d.cpus))
}
