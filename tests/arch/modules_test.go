package arch

import (
	"bytes"
	"go/token"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What shows a system to others is paid for by who imports it: the root is built from
// the modules that testdata/modules.txt lists. One that is gained is to be a decision, and
// then a line of that file.
func TestTheRootGainsNoModule(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", module)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	known, err := os.ReadFile("testdata/modules.txt")
	require.NoError(t, err)
	require.Equal(t, distinct(known), distinct(out))
}

func distinct(lines []byte) []string {
	all := strings.Fields(string(bytes.TrimSpace(lines)))
	slices.Sort(all)
	return slices.Compact(all)
}

// exporters name the packages that may import what metrics are exported with. protoactor
// does, too, so that a fence would not do.
var exporters = map[string][]string{
	"github.com/prometheus":               {"observe/metrics", "examples"},
	"go.opentelemetry.io/otel/metric":     {"observe/otelmetrics", "examples"},
	"go.opentelemetry.io/otel/sdk/metric": {"observe/otelmetrics", "examples"},
	"go.opentelemetry.io/otel/exporters":  {},
}

func exportProblem(from, to string) string {
	for dependency, allowed := range exporters {
		if within(to, dependency) && !slices.ContainsFunc(allowed, func(pkg string) bool { return within(from, module+"/"+pkg) }) {
			return from + " imports " + to + ": only " + strings.Join(allowed, ", ") + " may"
		}
	}
	return ""
}

func TestExportersStayWithTheirPackages(t *testing.T) {
	t.Parallel()
	require.NotEmpty(t, exportProblem(module, "github.com/prometheus/client_golang/prometheus"))
	require.NotEmpty(t, exportProblem(module+"/observe", "go.opentelemetry.io/otel/metric"))
	require.Empty(t, exportProblem(module+"/observe/metrics", "github.com/prometheus/client_model/go"))
	require.Empty(t, exportProblem(module, "go.opentelemetry.io/otel/trace"))
	for _, s := range loadSources(t, token.NewFileSet()) {
		for _, spec := range s.file.Imports {
			if problem := exportProblem(s.pkg, importPath(spec)); problem != "" {
				t.Errorf("%s: %s", s.rel, problem)
			}
		}
	}
}
