package conformance

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// A suite is the tests of one package.
type suite struct {
	funcs  map[string]map[string]bool // test → string literals in it
	shared map[string]bool            // string literals in package-level variables
	files  map[string]bool            // names of files under testdata
}

// suites reads packages when they are first asked for.
type suites struct {
	root string
	read map[string]*suite
}

func newSuites(root string) *suites { return &suites{root, map[string]*suite{}} }

// find says why there is no such test, nil if there is. The name of a subtest
// must be a literal of the test, of a variable of its package, or the name of a
// file of test data; a computed one is not taken.
func (s *suites) find(name string) error {
	pkg, test, ok := cutTest(name)
	if !ok {
		return fmt.Errorf("%q is not package.Test", name)
	}
	in, err := s.load(pkg)
	if err != nil {
		return err
	}
	test, sub, _ := strings.Cut(test, "/")
	literals, ok := in.funcs[test]
	if !ok {
		return fmt.Errorf("package %s has no %s", pkg, test)
	}
	for part := range strings.SplitSeq(sub, "/") {
		if part != "" && !literals[part] && !in.shared[part] && !in.files[part] {
			return fmt.Errorf("%s.%s has no subtest %s", pkg, test, part)
		}
	}
	return nil
}

// cutTest splits package.Test/subtest; a package is a path, a test has no dot.
func cutTest(name string) (pkg, test string, ok bool) {
	head, sub, deep := strings.Cut(name, ".")
	if !deep || !strings.HasPrefix(sub, "Test") && !strings.HasPrefix(sub, "Example") && !strings.HasPrefix(sub, "Fuzz") {
		return "", "", false
	}
	return head, sub, true
}

func (s *suites) load(pkg string) (*suite, error) {
	if in := s.read[pkg]; in != nil {
		return in, nil
	}
	dir := filepath.Join(s.root, filepath.FromSlash(pkg))
	if pkg == "cmwq" {
		dir = s.root
	}
	in := &suite{map[string]map[string]bool{}, map[string]bool{}, map[string]bool{}}
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("no tests in %s", pkg)
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if err := in.parse(name, string(src)); err != nil {
			return nil, err
		}
	}
	s.read[pkg] = in
	return in, in.data(filepath.Join(dir, "testdata"))
}

// parse adds what one file has.
func (in *suite) parse(name, src string) error {
	file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Body != nil {
				in.funcs[d.Name.Name] = literals(map[string]bool{}, d.Body)
			}
		case *ast.GenDecl:
			if d.Tok == token.VAR {
				literals(in.shared, d)
			}
		}
	}
	return nil
}

// literals adds the strings in a tree, as the testing package writes them.
func literals(to map[string]bool, in ast.Node) map[string]bool {
	ast.Inspect(in, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				to[strings.ReplaceAll(text, " ", "_")] = true
			}
		}
		return true
	})
	return to
}

// data adds the files that data-driven tests name their subtests after.
func (in *suite) data(dir string) error {
	err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		if err == nil {
			in.files[path.Base(filepath.ToSlash(name))] = true
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
