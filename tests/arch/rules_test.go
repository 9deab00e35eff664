package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The rules are fed what they must refuse, and its nearest allowed neighbour.

func TestArrowRule(t *testing.T) {
	t.Parallel()
	ours := func(rel string) string { return strings.TrimSuffix(module+"/"+rel, "/") }
	tests := []struct {
		from, to string
		want     string // part of the problem; "" if the import is allowed
	}{
		{ours("messages"), ours("topology"), "no arrow from messages to topology"},
		{ours("messages"), protoactor + "/actor", ""},
		{ours("topology"), ours("internal/invariants"), "no arrow"},
		{ours("topology"), protoactor + "/actor", "may not see protoactor"},
		{ours("internal/invariants"), ours("topology"), "no arrow"},
		{ours("internal/policy"), ours("messages"), "no arrow"},
		{ours("internal/policy"), ours("internal/invariants"), "no arrow"},
		{ours("internal/policy"), ours("topology"), ""},
		{ours("internal/policy"), ours("internal/policy/flush"), ""},
		{ours("internal/policy"), protoactor + "/actor", "may not see protoactor"},
		{ours("internal/sim"), ours("internal/policy"), ""},
		{ours("internal/sim"), ours("actors"), "no arrow"},
		{ours("internal/other"), ours("internal/policy"), ""},
		{ours("internal/other"), ours("actors"), "no arrow"},
		{ours("internal/other"), ours("internal/sim"), "no arrow"},
		{ours("actors"), ours("internal/policy"), ""},
		{ours("actors"), ours("internal/sim"), "no arrow"},
		{ours("actors"), ours("supervisor"), "no arrow"},
		{ours("actors"), ours(""), "no arrow from actors to root"},
		{ours("supervisor"), ours("actors"), ""},
		{ours("supervisor"), ours("internal/policy"), "no arrow"},
		{ours("observe"), ours("internal/policy"), "no arrow"},
		{ours("observe"), ours(""), ""},
		{ours("observe"), protoactor + "/actor", "may not see protoactor"},
		{ours(""), ours("observe"), "no arrow"},
		{ours(""), ours("internal/sim"), "no arrow"},
		{ours(""), ours("cluster"), "no arrow"},
		{ours(""), ours("examples/hello"), "no arrow"},
		{ours(""), ours("tests/timelines"), "no arrow"},
		{ours(""), ours("cmd/cmwq/dump"), "no arrow"},
		{ours("cluster"), ours(""), ""},
		{ours("cluster"), ours("cmd/cmwq/dump"), "no arrow"},
		{ours("cmd/cmwq"), ours("internal/sim"), ""},
		{ours("cmd/cmwq"), protoactor + "/actor", "may not see protoactor"},
		{ours("examples/hello"), ours("internal/sim"), "no arrow"},
		{ours("examples/hello"), protoactor + "/actor", ""},
		{ours("tests/timelines"), ours("internal/sim"), ""},
		{ours("util"), ours("messages"), "belongs to no layer"},
		{module + "x", ours("actors"), ""}, // another module whose name begins as ours does
		{protoactor + "/actor", ours("actors"), ""},
	}
	for _, tt := range tests {
		got := arrowProblem(tt.from, tt.to)
		if tt.want == "" {
			assert.Empty(t, got)
			continue
		}
		assert.Contains(t, got, tt.want, "%s → %s", tt.from, tt.to)
	}
}

func TestFenceRule(t *testing.T) {
	t.Parallel()
	const grpc = "google.golang.org/grpc"
	g := graph{
		module:               {module + "/actors"},
		module + "/actors":   {"example.com/middle"},
		"example.com/middle": {grpc + "/codes"},
		module + "/cluster":  {module, grpc},
		module + "/cmd/cmwq": {module + "/cluster"},
		module + "/messages": {grpc + "x"},
	}
	f := fence{grpc, "cluster"}
	assert.Equal(t, []string{module, module + "/actors", "example.com/middle", grpc + "/codes"}, f.breach(g, module))
	assert.Empty(t, f.breach(g, module+"/cluster"), "the layer itself may")
	assert.Empty(t, f.breach(g, module+"/cmd/cmwq"), "through the layer one may")
	assert.Empty(t, f.breach(g, module+"/messages"), "a module whose name begins alike is another module")
}

func TestPurityRule(t *testing.T) {
	t.Parallel()
	tests := []struct {
		rel, src string
		want     string // part of the only problem; "" if the file is allowed
	}{
		{"internal/policy/a.go", `import "sync"; type s struct{ mu sync.Mutex }`, "a.go:1:45: sync.Mutex"},
		{"internal/policy/a.go", `import "sync"; type s struct{ sync.RWMutex }`, "sync.RWMutex"},
		{"internal/policy/a.go", `import s "sync"; var c = s.NewCond(nil)`, "sync.NewCond"},
		{"internal/policy/a.go", `import . "sync"`, "dot import of sync"},
		{"internal/policy/deep/a.go", `func f() { go f() }`, "bare go statement"},
		{"internal/policy/a.go", `import "time"; var now = time.Now`, "time.Now"},
		{"internal/policy/a.go", `import "time"; const d = time.Second`, ""},
		{"internal/policy/a.go", `import "example.com/sync"; type s struct{ mu sync.Mutex }`, ""},
		{"internal/policyx/a.go", `import "sync"; var mu sync.Mutex`, ""},
		{"actors/pool.go", `import "sync"; var mu *sync.Mutex`, "sync.Mutex"},
		{"actors/worker_lease.go", `import "sync"; var c sync.Cond`, "sync.Cond"},
		{"actors/manager.go", `func f() { func() { go f() }() }`, "bare go statement"},
		{"actors/rescuer.go", `func f() { go f() }`, "bare go statement"},
		{"actors/queue.go", `import "sync"; var wg sync.WaitGroup`, ""},
		{"actors/ticker.go", `import "time"; var now = time.Now`, ""},
		{"actors/dispatcher.go", `import "sync"; var mu sync.Mutex; func f() { go f() }`, ""},
		{"supervisor/pool.go", `func f() { go f() }`, ""},
	}
	for _, tt := range tests {
		fset, file := parse(t, tt.rel, "package p; "+tt.src)
		bans, goroutines := purity(tt.rel)
		got := purityProblems(fset, file, bans, goroutines)
		if tt.want == "" {
			assert.Empty(t, got, "%s: %s", tt.rel, tt.src)
			continue
		}
		require.Len(t, got, 1, "%s: %s", tt.rel, tt.src)
		assert.Contains(t, got[0], tt.want)
	}
}

func TestLengthRule(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		head  string
		lines int
		want  string
	}{
		{"package p", maxLines, ""},
		{"package p", maxLines + 1, "a.go has 301 lines"},
		{"// Code generated by protoc. DO NOT EDIT.\n\npackage p", maxLines + 1, ""},
	} {
		src := tt.head + strings.Repeat("\n", tt.lines-strings.Count(tt.head, "\n"))
		_, file := parse(t, "a.go", src)
		got := lengthProblem("a.go", file, []byte(src))
		assert.Equal(t, tt.want != "", got != "", got)
		assert.Contains(t, got, tt.want)
	}
}

func TestCommentRule(t *testing.T) {
	t.Parallel()
	_, bare := parse(t, "a.go", "package p")
	_, wrong := parse(t, "b.go", "// All about p.\npackage p")
	_, right := parse(t, "c.go", "// Package p is an example.\npackage p")
	_, command := parse(t, "d.go", "package main")
	const path = module + "/p"
	assert.NotEmpty(t, commentProblem(path, []*ast.File{bare, wrong}))
	assert.Empty(t, commentProblem(path, []*ast.File{bare, right}))
	assert.Empty(t, commentProblem(path, []*ast.File{command}), "a command is not imported")
	assert.Empty(t, commentProblem(module+"/internal/p", []*ast.File{bare}), "nor is what is internal")
}

func parse(t *testing.T, name, src string) (*token.FileSet, *ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	require.NoError(t, err)
	return fset, file
}
