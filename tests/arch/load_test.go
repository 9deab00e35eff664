package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// A source is one Go file of the module, whatever its build constraints.
type source struct {
	rel  string // slash-separated, from the module's root
	pkg  string // import path
	file *ast.File
	src  []byte
}

// loadSources parses every file of the module but tests. Modules within the
// module, test data and what the go command ignores are left out.
func loadSources(t *testing.T, fset *token.FileSet) []source {
	t.Helper()
	var sources []source
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != root && foreign(name, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(fset, rel, src, parser.ParseComments)
		if err != nil {
			return err
		}
		sources = append(sources, source{rel, path.Join(module, path.Dir(rel)), file, src})
		return nil
	})
	require.NoError(t, err)
	return sources
}

func foreign(name, base string) bool {
	if base == "testdata" || base == "vendor" || base[0] == '.' || base[0] == '_' {
		return true
	}
	_, err := os.Stat(filepath.Join(name, "go.mod"))
	return err == nil
}

// loadGraph asks the go command what the module's packages are built from.
func loadGraph(t *testing.T) graph {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=ImportPath,Imports", "./...")
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s", &stderr)

	g := make(graph)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var pkg struct {
			ImportPath string
			Imports    []string
		}
		err := dec.Decode(&pkg)
		if errors.Is(err, io.EOF) {
			return g
		}
		require.NoError(t, err)
		g[pkg.ImportPath] = pkg.Imports
	}
}
