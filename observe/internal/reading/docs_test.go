package reading_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/observe/internal/reading"
)

const docs = "../../../docs/observe.md"

func table[T any](all []reading.Metric[T]) string {
	var b strings.Builder
	b.WriteString("| Prometheus | OpenTelemetry | type | unit | what |\n|---|---|---|---|---|\n")
	for _, m := range all {
		kind := m.Type.String()
		if m.Type == reading.Sum {
			kind += ", sum"
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s |\n", m.Prom, m.OTel, kind, strings.Trim(m.Unit, "{}"), strings.TrimSuffix(m.Help, "."))
	}
	return b.String()
}

// The page has each metric as it is.
func TestDocsListEveryMetric(t *testing.T) {
	text, err := os.ReadFile(docs)
	require.NoError(t, err)
	for _, want := range []string{table(reading.Queues), table(reading.Pools), table(reading.Whole)} {
		require.Contains(t, string(text), want)
	}
}

// No two have one name, and names say what they are.
func TestNamesOfMetrics(t *testing.T) {
	seen := map[string]bool{}
	check(t, seen, reading.Queues)
	check(t, seen, reading.Pools)
	check(t, seen, reading.Whole)
}

func check[T any](t *testing.T, seen map[string]bool, all []reading.Metric[T]) {
	t.Helper()
	for _, m := range all {
		require.False(t, seen[m.Prom] || seen[m.OTel], m.Prom)
		seen[m.Prom], seen[m.OTel] = true, true
		require.Equal(t, m.Type == reading.Counter, strings.HasSuffix(m.Prom, "_total"), m.Prom)
		if m.Unit == "s" {
			require.Contains(t, m.Prom, "seconds")
		}
		require.Equal(t, m.Type == reading.Times, m.Times != nil, m.Prom)
		require.Equal(t, m.Type != reading.Times, m.Value != nil, m.Prom)
		require.NotContains(t, m.OTel, "_total", m.Prom)
		require.True(t, strings.HasSuffix(m.Help, "."), m.Prom)
	}
}
