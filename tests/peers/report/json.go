package report

import (
	"encoding/json"
	"io"

	"github.com/cmwq/cmwq/tests/peers/run"
)

// Machine is where and how a run was made.
type Machine struct {
	Go    string `json:"go"`
	OS    string `json:"os"`
	CPU   string `json:"cpu"`
	Procs int    `json:"gomaxprocs"`
	Date  string `json:"date"`
	Args  string `json:"args"` // of the command line
	Quick bool   `json:"quick"`
}

// row is a line of the JSON.
type row struct {
	Workload  string   `json:"workload"`
	System    string   `json:"system"`
	Ours      bool     `json:"ours"`
	N         int      `json:"n"`         // repetitions
	Disturbed int      `json:"disturbed"` // of those
	Figures   []figure `json:"figures,omitempty"`
	Skipped   string   `json:"skipped,omitempty"`
	Failed    string   `json:"failed,omitempty"`
	Machine   Machine  `json:"machine"`
}

type figure struct {
	Name  string   `json:"name"`
	Unit  string   `json:"unit"`
	Ratio *float64 `json:"of_best_peer,omitempty"`
	run.Summary
}

// JSON writes one object a line for each workload and system.
func JSON(w io.Writer, m Machine, cells []*run.Cell) error {
	enc := json.NewEncoder(w)
	for _, c := range cells {
		r := row{
			Workload: c.Workload.ID, System: c.System.Name, Ours: c.System.Ours,
			N: c.Clean() + c.Disturbed(), Disturbed: c.Disturbed(), Skipped: c.Skipped, Machine: m,
		}
		if c.Err != nil {
			r.Failed = c.Err.Error()
		}
		for i, f := range c.Workload.Figures {
			if !c.OK() {
				break
			}
			s := c.Figure(i)
			r.Figures = append(r.Figures, figure{f.Name, f.Unit, ratio(cells, c, f.Name, s), s})
		}
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// ratio is a median by that of the best peer, or nil.
func ratio(cells []*run.Cell, c *run.Cell, figure string, s run.Summary) *float64 {
	best := BestPeer(cells, c.Workload.ID, figure)
	if best == nil {
		return nil
	}
	if b, ok := best.Named(figure); ok && b.Median != 0 {
		r := s.Median / b.Median
		return &r
	}
	return nil
}
