package arch

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Direct imports are read from the sources, not from the go command, so that
// files for other systems and other build tags count too.
func TestArrowsPointOneWay(t *testing.T) {
	t.Parallel()
	for _, s := range loadSources(t, token.NewFileSet()) {
		for _, spec := range s.file.Imports {
			if problem := arrowProblem(s.pkg, importPath(spec)); problem != "" {
				t.Errorf("%s: %s", s.rel, problem)
			}
		}
	}
}

func TestDependenciesStayBehindTheirLayer(t *testing.T) {
	t.Parallel()
	g := loadGraph(t)
	require.Contains(t, g, module+"/tests/arch", "the go command listed another module")
	for pkg := range g {
		if _, ours := layerOf(pkg); !ours {
			continue
		}
		for _, f := range fences {
			if chain := f.breach(g, pkg); chain != nil {
				t.Errorf("only %s may reach %s: %s", f.layer, f.dependency, strings.Join(chain, " → "))
			}
		}
	}
}

func TestPolicyIsPureAndActorsAreLockFree(t *testing.T) {
	t.Parallel()
	fset := token.NewFileSet()
	for _, s := range loadSources(t, fset) {
		bans, goroutines := purity(s.rel)
		for _, problem := range purityProblems(fset, s.file, bans, goroutines) {
			t.Error(problem)
		}
	}
}

func TestFilesAreShort(t *testing.T) {
	t.Parallel()
	for _, s := range loadSources(t, token.NewFileSet()) {
		if problem := lengthProblem(s.rel, s.file, s.src); problem != "" {
			t.Error(problem)
		}
	}
}

func TestPackagesSayWhatTheyAreFor(t *testing.T) {
	t.Parallel()
	packages := make(map[string][]*ast.File)
	for _, s := range loadSources(t, token.NewFileSet()) {
		packages[s.pkg] = append(packages[s.pkg], s.file)
	}
	for path, files := range packages {
		if problem := commentProblem(path, files); problem != "" {
			t.Error(problem)
		}
	}
}
