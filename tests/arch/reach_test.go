package arch

import "slices"

// A fence keeps a dependency behind one layer: a package of ours may be built
// on it only through that layer, however long the chain of imports.
type fence struct {
	dependency string
	layer      string
}

var fences = []fence{
	{"google.golang.org/grpc", "cluster"},
	{"github.com/schollz/progressbar", "examples"},
	{"golang.org/x/sync", "examples"},
	{"github.com/cockroachdb/datadriven", "tests"},
	{"github.com/stretchr/testify", "tests"},
	{"go.uber.org/goleak", "tests"},
	{"pgregory.net/rapid", "tests"},
}

// A graph maps each package to what it imports, its tests left out.
type graph map[string][]string

// breach returns the shortest chain of imports by which a package of ours
// reaches the dependency without passing through the fence's layer, or nil.
func (f fence) breach(g graph, from string) []string {
	if f.guards(from) {
		return nil
	}
	parent := map[string]string{from: ""}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		pkg := queue[0]
		if within(pkg, f.dependency) {
			return chain(parent, pkg)
		}
		for _, next := range g[pkg] {
			if _, seen := parent[next]; seen || f.guards(next) {
				continue
			}
			parent[next] = pkg
			queue = append(queue, next)
		}
	}
	return nil
}

func (f fence) guards(pkg string) bool {
	layer, ours := layerOf(pkg)
	return ours && layer == f.layer
}

func chain(parent map[string]string, last string) []string {
	var pkgs []string
	for pkg := last; pkg != ""; pkg = parent[pkg] {
		pkgs = append(pkgs, pkg)
	}
	slices.Reverse(pkgs)
	return pkgs
}
