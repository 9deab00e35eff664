package arch

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var fileName = regexp.MustCompile(`[a-z_*]+\.go\b`)

// mapProblems says which files of a package its map does not name, and which names of
// the map are no file's.
func mapProblems(doc string, files []string) (problems []string) {
	found := map[string]bool{}
	for _, name := range fileName.FindAllString(doc, -1) {
		some := false
		for _, f := range files {
			if ok, _ := filepath.Match(name, f); ok {
				some, found[f] = true, true
			}
		}
		if !some {
			problems = append(problems, name+" is on the map, and no file")
		}
	}
	for _, f := range files {
		if !found[f] {
			problems = append(problems, f+" is not on the map: say in doc.go what it holds")
		}
	}
	return problems
}

// The engine is too large to find one's way in without a map.
func TestTheMapOfTheEngine(t *testing.T) {
	dir := filepath.Join("..", "..", "actors")
	doc, err := os.ReadFile(filepath.Join(dir, "doc.go"))
	require.NoError(t, err)
	all, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var files []string
	for _, f := range all {
		if name := filepath.Base(f); name != "doc.go" && !strings.HasSuffix(name, "_test.go") {
			files = append(files, name)
		}
	}
	require.Empty(t, mapProblems(string(doc), files))
}

func TestMapRule(t *testing.T) {
	require.Empty(t, mapProblems("// a*.go, b.go: these", []string{"a.go", "a_b.go", "b.go"}))
	require.Len(t, mapProblems("// a.go: that", []string{"a.go", "b.go"}), 1)
	require.Len(t, mapProblems("// a.go, b.go: those", []string{"a.go"}), 1)
}
