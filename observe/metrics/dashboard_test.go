package metrics_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe/metrics"
)

// board is what the test reads of a dashboard.
type board struct {
	Templating struct {
		List []struct {
			Name       string
			Definition string
		}
	}
	Panels []panel
}

type panel struct {
	ID          int
	Type        string
	Title       string
	Description string
	GridPos     struct{ X, Y, W, H int }
	Targets     []struct{ RefID, Expr string }
}

func readBoard(t *testing.T) (b board) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(metrics.Dashboard()), &b))
	require.NotEmpty(t, b.Panels)
	return b
}

// queries are all that the board asks Prometheus for.
func (b *board) queries() (all []string) {
	for _, v := range b.Templating.List {
		all = append(all, v.Definition)
	}
	for _, p := range b.Panels {
		for _, x := range p.Targets {
			all = append(all, x.Expr)
		}
	}
	return all
}

var metricName = regexp.MustCompile(`\b(?:cmwq|workqueue)_\w+`)

// families are the metrics that a busy system has.
func families(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	bubble(t, func(t *testing.T, sys *cmwq.System) {
		defer load(t, sys)()
		reg := prometheus.NewPedanticRegistry()
		require.NoError(t, reg.Register(metrics.New(sys)))
		got, err := reg.Gather()
		require.NoError(t, err)
		for _, f := range got {
			all[f.GetName()] = true
		}
	}, cmwq.WithMonitor())
	return all
}

// notOnTheBoard are metrics that have no panel, on purpose.
var notOnTheBoard = map[string]bool{}

// Every metric that the board asks for is there in a busy system, and every metric of one
// is on the board, or left out on purpose.
func TestDashboardAsksForWhatIsThere(t *testing.T) {
	b := readBoard(t)
	asked := map[string]bool{}
	for _, q := range b.queries() {
		for _, name := range metricName.FindAllString(q, -1) {
			asked[name] = true
		}
	}
	there := families(t)
	for name := range asked {
		require.True(t, there[name], "the board asks for %s, which no scrape has", name)
		require.False(t, notOnTheBoard[name], name)
	}
	for name := range there {
		require.True(t, asked[name] || notOnTheBoard[name], "%s has no panel", name)
	}
	require.Subset(t, slices.Collect(maps.Keys(there)), slices.Collect(maps.Keys(notOnTheBoard)))
}

// What one can see without Grafana: variables that are there, parentheses that close, labels that
// series have, panels that say what they show and do not overlap.
func TestDashboardIsWellFormed(t *testing.T) {
	b := readBoard(t)
	known := map[string]bool{"__rate_interval": true}
	for _, v := range b.Templating.List {
		known[v.Name] = true
	}
	variable := regexp.MustCompile(`\$\{?(\w+)`)
	for _, q := range b.queries() {
		for _, m := range variable.FindAllStringSubmatch(q, -1) {
			require.True(t, known[m[1]], "%s in %s", m[0], q)
		}
		for _, pair := range []string{"()", "{}", "[]"} {
			require.Equal(t, strings.Count(q, pair[:1]), strings.Count(q, pair[1:]), q)
		}
		if strings.Contains(q, "cmwq_pool_") {
			require.NotContains(t, q, "$queue", "pools have no queue")
		}
	}
	ids := map[int]bool{}
	type cell struct{ x, y int }
	taken := map[cell]string{}
	for _, p := range b.Panels {
		require.False(t, ids[p.ID], "%s: its id is another's", p.Title)
		ids[p.ID] = true
		require.NotEmpty(t, p.Title)
		if p.Type != "row" {
			require.NotEmpty(t, p.Description, p.Title)
			require.NotEmpty(t, p.Targets, p.Title)
		}
		require.LessOrEqual(t, p.GridPos.X+p.GridPos.W, 24, p.Title)
		for x := range p.GridPos.W {
			for y := range p.GridPos.H {
				at := cell{p.GridPos.X + x, p.GridPos.Y + y}
				require.Empty(t, taken[at], "%s overlaps", p.Title)
				taken[at] = p.Title
			}
		}
	}
	require.Equal(t, "Stuck or failing", b.Panels[0].Title)
}
