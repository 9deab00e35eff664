package page

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// node is what a screen reader knows of an element, in the order of the page.
type node struct {
	role, name string
	props      map[string]string // focusable, live, level, pressed...
	in         *node
	children   []*node
}

// tree reads Chromium's accessibility tree, without what it leaves out.
func (b *tab) tree() (all []*node) {
	b.t.Helper()
	res, err := chromedp.Call(b.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	require.NoError(b.t, err)
	raw := map[accessibility.NodeID]*accessibility.Node{}
	for _, n := range res.Nodes {
		raw[n.NodeID] = n
	}
	text := func(v *accessibility.Value) string {
		if v == nil || len(v.Value) == 0 {
			return ""
		}
		var s any
		require.NoError(b.t, json.Unmarshal(v.Value, &s))
		switch s := s.(type) {
		case string:
			return s
		case float64:
			return strconv.Itoa(int(s))
		case bool:
			return strconv.FormatBool(s)
		}
		return ""
	}
	var walk func(n *accessibility.Node, in *node)
	walk = func(n *accessibility.Node, in *node) {
		if !n.Ignored {
			made := &node{role: text(n.Role), name: strings.TrimSpace(text(n.Name)), props: map[string]string{}, in: in}
			for _, p := range n.Properties {
				made.props[string(p.Name)] = text(p.Value)
			}
			if in != nil {
				in.children = append(in.children, made)
			}
			all = append(all, made)
			in = made
		}
		for _, id := range n.ChildIDs {
			if c := raw[id]; c != nil {
				walk(c, in)
			}
		}
	}
	require.NotEmpty(b.t, res.Nodes)
	walk(res.Nodes[0], nil)
	return all
}

// of gives the nodes of some roles.
func of(all []*node, roles ...string) (some []*node) {
	for _, n := range all {
		if slices.Contains(roles, n.role) {
			some = append(some, n)
		}
	}
	return some
}

// named wants a name of everything that can be operated, and of every landmark, table,
// dialog and heading; and landmarks that can be told apart.
func named(t *testing.T, all []*node) {
	t.Helper()
	landmarks := map[string]bool{}
	for _, n := range all {
		switch n.role {
		case "button", "link", "textbox", "searchbox", "spinbutton", "checkbox", "combobox", "table", "dialog", "heading",
			"columnheader", "rowheader", "RootWebArea", "image":
			require.NotEmpty(t, n.name, "a %s has no name", n.role)
		case "region", "navigation":
			require.NotEmpty(t, n.name, "a %s has no name", n.role)
			require.False(t, landmarks[n.role+n.name], "two landmarks are called %q", n.name)
			landmarks[n.role+n.name] = true
		default:
			if n.props["focusable"] == "true" {
				require.NotEmpty(t, n.name, "a %s takes the focus, and has no name", n.role)
			}
		}
	}
}

// outlined wants one heading of level 1, the first, and none that leaves a level out.
func outlined(t *testing.T, all []*node) {
	t.Helper()
	was := 0
	for _, h := range of(all, "heading") {
		level, err := strconv.Atoi(h.props["level"])
		require.NoError(t, err)
		if was == 0 {
			require.Equal(t, 1, level, "the first heading is %q", h.name)
		} else {
			require.Greater(t, level, 1, "a second title: %q", h.name)
		}
		require.LessOrEqual(t, level, was+1, "%q leaves a level out", h.name)
		was = level
	}
	require.NotZero(t, was)
}

// tabled wants rows of a table that have a header, and as many cells as there are columns.
func tabled(t *testing.T, all []*node) {
	t.Helper()
	for _, table := range of(all, "table") {
		var rows []*node
		for _, r := range of(all, "row") {
			for up := r.in; up != nil; up = up.in {
				if up == table {
					rows = append(rows, r)
				}
			}
		}
		require.Greater(t, len(rows), 1)
		columns := len(of(rows[0].children, "columnheader"))
		require.Equal(t, len(rows[0].children), columns, "a column without a header")
		for _, r := range rows[1:] {
			require.Len(t, of(r.children, "rowheader"), 1, r.name)
			require.Len(t, of(r.children, "rowheader", "cell", "gridcell"), columns, r.name)
		}
	}
}
