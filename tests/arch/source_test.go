package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A ban keeps names of one standard package out of a file.
type ban struct {
	pkg   string
	names []string
	why   string
}

var (
	locks = ban{
		"sync", []string{"Mutex", "RWMutex", "Cond", "NewCond"},
		"its state has one writer and needs no lock",
	}
	clock = ban{
		"time", []string{"After", "AfterFunc", "NewTicker", "NewTimer", "Now", "Since", "Sleep", "Tick", "Until"},
		"policy takes the time as an argument",
	}
)

// singleWriters begin the names of the files in package actors that hold what
// one actor alone may touch.
var singleWriters = []string{"manager", "pool", "queue", "rescuer", "worker"}

// purity says what a file may not use: nothing is banned outside the policy and
// the single-writer actors.
func purity(rel string) (bans []ban, goroutines bool) {
	dir, base := path.Split(rel)
	switch {
	case within(path.Clean(dir), "internal/policy"):
		return []ban{locks, clock}, false
	case dir == "actors/" && slices.ContainsFunc(singleWriters, func(p string) bool { return strings.HasPrefix(base, p) }):
		return []ban{locks}, false
	}
	return nil, true
}

// purityProblems lists what a file uses against the bans.
func purityProblems(fset *token.FileSet, file *ast.File, bans []ban, goroutines bool) []string {
	var problems []string
	report := func(at token.Pos, format string, args ...any) {
		problems = append(problems, fmt.Sprintf("%s: %s", fset.Position(at), fmt.Sprintf(format, args...)))
	}
	names := make(map[string]ban)
	for _, spec := range file.Imports {
		name := localName(spec)
		for _, b := range bans {
			if importPath(spec) != b.pkg {
				continue
			}
			if name == "." {
				report(spec.Pos(), "dot import of %s hides what is used", b.pkg)
			}
			names[name] = b
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			if !goroutines {
				report(n.Pos(), "bare go statement: only a dispatcher starts goroutines")
			}
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if !ok {
				break
			}
			if b, ok := names[x.Name]; ok && slices.Contains(b.names, n.Sel.Name) {
				report(n.Pos(), "%s.%s: %s", b.pkg, n.Sel.Name, b.why)
			}
		}
		return true
	})
	return problems
}

func importPath(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value
	}
	return p
}

func localName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	return path.Base(importPath(spec))
}
