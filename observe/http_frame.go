package observe

import (
	"encoding/json"
	"time"

	"github.com/cmwq/cmwq"
)

// What an event holds is bounded, whatever the system has.
const (
	maxRows    = 100
	maxPools   = 64
	maxWorkers = 48 // of a pool
)

// frame is an event of the page. Durations are seconds, times Unix milliseconds.
type frame struct {
	At        int64       `json:"at"`
	Sum       totals      `json:"sum"`
	Alerts    []alertView `json:"alerts"`
	AlertsCut int         `json:"alerts_cut"` // more that are not told
	Queues    []row       `json:"queues"`
	QueuesCut int         `json:"queues_cut"`
	Pools     []poolView  `json:"pools"`
	PoolsCut  int         `json:"pools_cut"`
	Detail    *detail     `json:"detail,omitempty"`
}

type totals struct {
	Queues  int     `json:"queues"`
	Pools   int     `json:"pools"`
	Workers int     `json:"workers"`
	Busy    int     `json:"busy"`
	Waiting int     `json:"waiting"`
	Rate    float64 `json:"rate"`
	Failed  int64   `json:"failed"`
}

type alertView struct {
	Level  string `json:"level"`
	Text   string `json:"text"`
	Advice string `json:"advice,omitempty"`
	Queue  string `json:"queue,omitempty"`
	Past   bool   `json:"past,omitempty"` // it was so a moment ago
}

// row is a queue of the table.
type row struct {
	Key       string   `json:"key"` // what requests call it by
	Shown     string   `json:"shown"`
	Kind      string   `json:"kind"`
	Flags     []string `json:"flags,omitempty"`
	Level     string   `json:"level,omitempty"`
	Rate      float64  `json:"rate"`
	Running   int      `json:"running"`
	Waiting   int      `json:"waiting"`
	Delayed   int      `json:"delayed"`
	MaxActive int      `json:"max_active"`
	Total     int64    `json:"total"`
	Failed    int64    `json:"failed"`
	Retried   int64    `json:"retried"`
	Dead      int64    `json:"dead"`
	Hogs      int64    `json:"hogs"`
	Wait      *float64 `json:"wait,omitempty"` // the 99th percentile; nil: not measured
	Run       *float64 `json:"run,omitempty"`
}

// poolView is a pool of the map.
type poolView struct {
	Name    string       `json:"name"`
	Kind    string       `json:"kind"`
	CPU     int          `json:"cpu"`
	CPUs    string       `json:"cpus"`
	HighPri bool         `json:"high_pri,omitempty"`
	Width   int          `json:"width"`
	Running int          `json:"running"`
	Waiting int          `json:"waiting"`
	Idle    int          `json:"idle"`
	Wanted  int          `json:"wanted,omitempty"`
	Hung    float64      `json:"hung,omitempty"`
	Workers []workerView `json:"workers,omitempty"`
	Cut     int          `json:"cut,omitempty"` // workers that are not told
}

type workerView struct {
	Name  string  `json:"name"`
	State string  `json:"state"`
	Queue string  `json:"queue"`
	Func  string  `json:"func"`
	Desc  string  `json:"desc,omitempty"`
	For   float64 `json:"for"`
	Where string  `json:"where,omitempty"`
}

// frame makes the event that q asks for. It is called once a sample for each q.
func (s *sample) frame(q query) []byte {
	f := frame{At: s.snap.At.UnixMilli(), Sum: s.sum(), Alerts: []alertView{}, AlertsCut: s.more}
	for _, a := range s.alerts {
		f.Alerts = append(f.Alerts, alertView{a.level.String(), a.text, a.advice, keyOf(a.queue), a.seen.Before(s.snap.At)})
	}
	f.Queues, f.QueuesCut = s.rows(q)
	f.Pools, f.PoolsCut = s.poolViews()
	f.Detail = s.detail(q.queue)
	b, err := json.Marshal(f)
	if err != nil {
		panic(err) // there is nothing in it that may fail
	}
	return b
}

func (s *sample) sum() totals {
	t := totals{Queues: len(s.snap.Queues), Pools: len(s.snap.Pools)}
	for i := range s.snap.Pools {
		p := &s.snap.Pools[i]
		t.Workers += p.Workers
		t.Busy += p.Workers - len(p.Idle)
	}
	for i := range s.snap.Queues {
		t.Waiting += s.tracks[i].waiting
		t.Rate += s.tracks[i].rate
		t.Failed += s.tracks[i].now.failed
	}
	return t
}

// poolViews are the first pools: those that do something.
func (s *sample) poolViews() (views []poolView, cut int) {
	for _, busy := range []bool{true, false} {
		for i := range s.snap.Pools {
			p := &s.snap.Pools[i]
			if p.Busy() != busy {
				continue
			}
			if len(views) == maxPools {
				cut++
				continue
			}
			views = append(views, viewOf(s.pools[p.Name]))
		}
	}
	return views, cut
}

func viewOf(p *poolHeld) poolView {
	v := poolView{
		Name: p.Name, Kind: p.Kind, CPU: p.CPU, CPUs: p.PodCPUs, HighPri: p.HighPri, Width: p.Width, Running: p.Running,
		Waiting: p.Waiting, Idle: len(p.Idle), Wanted: p.Wanted, Hung: p.Hung.Seconds(),
	}
	for i, h := range p.by {
		if i == maxWorkers {
			v.Cut = len(p.by) - i
			break
		}
		v.Workers = append(v.Workers, workerOf(h))
	}
	return v
}

func workerOf(h holder) workerView {
	state := h.State
	if h.blocked() && (state == "running" || state == "hog") {
		state = "blocked" // which the pool does not know
	}
	return workerView{h.Worker, state, shown(h.queue), shortFunc(h.Func), shown(h.Desc), h.For.Seconds(), h.whereText()}
}

func (s *sample) rowOf(i int) row {
	q, t := &s.snap.Queues[i], &s.tracks[i]
	return row{
		Key: keyOf(q.Name), Shown: shown(q.Name), Kind: q.Kind, Flags: flags(q), Level: s.levels[i].String(),
		Rate: t.rate, Running: t.running, Waiting: t.waiting, Delayed: q.Stats.Delayed, MaxActive: q.Stats.MaxActive,
		Total: t.now.total, Failed: t.now.failed, Retried: t.now.retried, Dead: t.now.dead, Hogs: t.now.hogs,
		Wait: measured(q.Wait.N, q.Wait.P99), Run: measured(q.Run.N, q.Run.P99),
	}
}

// flags are what a queue is beside its kind.
func flags(q *cmwq.QueueSnapshot) []string {
	if len(q.Flags) > 0 && q.Flags[0] == q.Kind {
		return q.Flags[1:]
	}
	return q.Flags
}

// measured gives seconds, or nil of nothing.
func measured(n int64, d time.Duration) *float64 {
	if n == 0 {
		return nil
	}
	s := d.Seconds()
	return &s
}
