package arch

import (
	"fmt"
	"slices"
	"strings"
)

const (
	module     = "github.com/cmwq/cmwq"
	protoactor = "github.com/asynkron/protoactor-go"

	sim         = "internal/sim"
	anyInternal = "internal/*" // every internal layer but sim, which is always named
	anything    = "*"
)

// arrows says which layers of ours each layer may import. A layer may always
// import itself. What is not listed is forbidden: a new layer needs a line here
// and, if it bends an arrow, a decision record.
var arrows = map[string][]string{
	"messages":            {},
	"topology":            {},
	"internal/invariants": {},
	"internal/policy":     {"topology"},
	sim:                   {"internal/policy", "internal/invariants", "topology"},
	anyInternal:           {anyInternal, "messages", "topology"},
	"actors":              {anyInternal, "messages", "topology"},
	"supervisor":          {"actors", "messages"},
	"observe":             {"root"},
	"root":                {"supervisor", "actors", anyInternal, "messages", "topology"},
	"cluster":             {"root", "observe", "supervisor", "actors", anyInternal, "messages", "topology"},
	"cmd":                 {"cluster", "root", "observe", "supervisor", "actors", anyInternal, sim, "messages", "topology"},
	"examples":            {"cluster", "root", "observe", "supervisor", "actors", anyInternal, "messages", "topology"},
	"tests":               {anything},
}

// actorLayers are the layers that may name protoactor in an import.
var actorLayers = []string{"root", "messages", "actors", "supervisor", "cluster", "examples", "tests"}

// layerOf names the layer that owns a package of ours: "root", the first
// element of its path, or the first two under internal.
func layerOf(path string) (layer string, ours bool) {
	if path == module {
		return "root", true
	}
	rel, ours := strings.CutPrefix(path, module+"/")
	if !ours {
		return "", false
	}
	elems := strings.Split(rel, "/")
	if elems[0] == "internal" && len(elems) > 1 {
		return "internal/" + elems[1], true
	}
	return elems[0], true
}

// arrowProblem says what is wrong with one import, or "".
func arrowProblem(from, to string) string {
	layer, ours := layerOf(from)
	if !ours {
		return ""
	}
	if within(to, protoactor) && !slices.Contains(actorLayers, layer) {
		return fmt.Sprintf("%s imports %s: %s may not see protoactor", from, to, layer)
	}
	target, ours := layerOf(to)
	if !ours || target == layer {
		return ""
	}
	allowed, known := arrowsOf(layer)
	if !known {
		return fmt.Sprintf("%s belongs to no layer: give %q a line in arrows", from, layer)
	}
	if points(allowed, target) {
		return ""
	}
	return fmt.Sprintf("%s imports %s: no arrow from %s to %s", from, to, layer, target)
}

func arrowsOf(layer string) (allowed []string, known bool) {
	allowed, known = arrows[layer]
	if !known && strings.HasPrefix(layer, "internal/") {
		return arrows[anyInternal], true
	}
	return allowed, known
}

func points(allowed []string, target string) bool {
	if slices.Contains(allowed, anything) || slices.Contains(allowed, target) {
		return true
	}
	internal := strings.HasPrefix(target, "internal/") && target != sim
	return internal && slices.Contains(allowed, anyInternal)
}

// within reports whether a package lies in a module or below a path.
func within(pkg, path string) bool {
	return pkg == path || strings.HasPrefix(pkg, path+"/")
}
