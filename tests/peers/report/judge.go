package report

import (
	"fmt"
	"math"

	"github.com/cmwq/cmwq/tests/peers/run"
)

// A Verdict is what became of a goal.
type Verdict struct {
	Goal
	Measured bool
	Value    float64 // the ratio, or the figure itself
	Of       float64 // the figure of cmwq
	Unit     string
	Base     float64 // what it is compared with
	BaseName string
	N        int     // repetitions, of the one that has fewer
	Spread   float64 // of both together, as a share of the value
	Met      bool
	Missed   float64 // by this share of the limit
}

// Judge compares every goal with what was measured.
func Judge(goals []Goal, cells []*run.Cell) []Verdict {
	all := make([]Verdict, len(goals))
	for i, g := range goals {
		all[i] = judge(g, cells)
	}
	return all
}

func judge(g Goal, cells []*run.Cell) Verdict {
	v := Verdict{Goal: g}
	own := find(cells, g.Workload, g.System)
	if own == nil {
		return v
	}
	s, ok := own.Named(g.Figure)
	if !ok {
		return v
	}
	base, name := run.Summary{}, ""
	if g.Than != Absolute {
		if base, name, ok = g.base(own, cells); !ok || base.Median == 0 {
			return v
		}
	}
	v.N, v.Of, v.Unit, v.Value, v.Spread = s.N, s.Median, unit(own, g.Figure), s.Median, s.Spread
	if g.Than != Absolute {
		v.Base, v.BaseName, v.Value = base.Median, name, s.Median/base.Median
		v.N = min(s.N, base.N)
		v.Spread = math.Hypot(s.Spread, base.Spread)
	}
	v.Measured = true
	v.Met, v.Missed = against(v.Value, g.Limit, g.AtLeast)
	return v
}

// against says whether a value keeps a limit, and else by what share of the limit it fails.
func against(value, limit float64, atLeast bool) (met bool, missed float64) {
	if atLeast {
		return value >= limit, max(1-value/limit, 0)
	}
	return value <= limit, max(value/limit-1, 0)
}

// base is what the goal's figure is compared with, and its name.
func (g Goal) base(own *run.Cell, cells []*run.Cell) (s run.Summary, name string, ok bool) {
	switch g.Than {
	case Best:
		c := BestPeer(cells, g.Workload, g.Figure)
		if c == nil {
			return s, "", false
		}
		s, ok = c.Named(g.Figure)
		return s, c.System.Name, ok
	case Peer:
		if c := find(cells, g.Workload, g.Other); c != nil {
			s, ok = c.Named(g.Figure)
		}
	case OtherLoad:
		if c := find(cells, g.Other, g.System); c != nil {
			s, ok = c.Named(g.Figure)
		}
	case OtherScope:
		s, ok = own.Named(g.Other)
	case Absolute:
	}
	return s, g.Other, ok
}

// BestPeer is the cell of the peer with the best median of a figure, or nil.
func BestPeer(cells []*run.Cell, workload, figure string) (best *run.Cell) {
	var most float64
	for _, c := range cells {
		if c.Workload.ID != workload || c.System.Ours {
			continue
		}
		s, ok := c.Named(figure)
		if ok && (best == nil || better(s.Median, most, up(c, figure))) {
			best, most = c, s.Median
		}
	}
	return best
}

func better(a, b float64, up bool) bool { return a < b != up && a != b }

func find(cells []*run.Cell, workload, system string) *run.Cell {
	for _, c := range cells {
		if c.Workload.ID == workload && c.System.Name == system {
			return c
		}
	}
	return nil
}

func unit(c *run.Cell, figure string) string {
	for _, f := range c.Workload.Figures {
		if f.Name == figure {
			return f.Unit
		}
	}
	return ""
}

func up(c *run.Cell, figure string) bool {
	for _, f := range c.Workload.Figures {
		if f.Name == figure {
			return f.Up
		}
	}
	return false
}

// Result says it in words.
func (v Verdict) Result() string {
	switch {
	case !v.Measured:
		return "not measured"
	case v.Met:
		return "met"
	case v.Missed >= 2:
		return fmt.Sprintf("**missed**: %.1f times the limit", 1+v.Missed)
	default:
		return fmt.Sprintf("**missed** by %.0f %%", math.Ceil(100*v.Missed))
	}
}
