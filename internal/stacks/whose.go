package stacks

import (
	"reflect"
	"runtime"
	"strings"
)

// whose says who wrote a function.
type whose int

const (
	users    whose = iota // and libraries that are neither of the following
	runtimes              // of the runtime, under the standard library's calls
	library               // of the standard library
	ours                  // of this module, or of the actors it stands on
)

// module is this module's path, wherever it was vendored.
var module = strings.TrimSuffix(reflect.TypeFor[Group]().PkgPath(), "/internal/stacks")

// layers are the packages of the module that are ours; examples and commands count as
// users.
var layers = []string{"actors", "messages", "supervisor", "topology", "internal", "observe", "cluster"}

const actorsModule = "github.com/asynkron/protoactor-go"

// std has the first elements of the standard library's paths. Modules may not begin
// with them.
var std = func() map[string]bool {
	m := map[string]bool{}
	for s := range strings.FieldsSeq(`archive bufio bytes cmp compress container context crypto database debug
		embed encoding errors expvar flag fmt go hash html image index internal io iter log maps math mime net os
		path plugin reflect regexp runtime simd slices sort strconv strings structs sync syscall testing text time
		unicode unique unsafe vendor weak`) {
		m[s] = true
	}
	return m
}()

// whoseIs says whose a frame is. Tests are users, whatever package they are in.
func whoseIs(f *runtime.Frame) whose {
	if strings.HasSuffix(f.File, "_test.go") {
		return users
	}
	pkg := packageOf(f.Function)
	switch first, _, _ := strings.Cut(pkg, "/"); {
	case pkg == "runtime" || strings.HasPrefix(pkg, "internal/runtime/"):
		return runtimes
	case std[first], within(pkg, "golang.org/x/sys"):
		return library
	case inModule(pkg), within(pkg, actorsModule):
		return ours
	}
	return users
}

func inModule(pkg string) bool {
	if pkg == module {
		return true
	}
	for _, l := range layers {
		if within(pkg, module+"/"+l) {
			return true
		}
	}
	return false
}

func within(pkg, path string) bool {
	return pkg == path || strings.HasPrefix(pkg, path) && pkg[len(path)] == '/'
}

// packageOf is the import path in a function's name: what is before the first dot after
// the last slash. Dots of the last element are written %2e; and type arguments, which have
// slashes of their own, come after a bracket.
func packageOf(function string) string {
	if i := strings.IndexByte(function, '['); i >= 0 {
		function = function[:i]
	}
	slash := strings.LastIndexByte(function, '/') + 1
	if dot := strings.IndexByte(function[slash:], '.'); dot >= 0 {
		return function[:slash+dot]
	}
	return function
}
