package observe

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cmwq/cmwq"
)

// query is what a viewer wants to see. It is a key: viewers that want the same get the
// same bytes.
type query struct {
	search string // in a queue's name, kind or flags, in lower case
	sort   string // a column
	desc   bool
	queue  string // whose details are told
}

// readQuery reads what a viewer wants. What makes no sense is what a new page asks for.
func readQuery(v url.Values) (q query, interval time.Duration) {
	q = query{search: strings.ToLower(v.Get("q")), sort: v.Get("sort"), desc: v.Get("dir") == "desc", queue: v.Get("queue")}
	if len(q.search) > 4*longest {
		q.search = q.search[:4*longest]
	}
	if len(q.queue) > maxKey {
		q.queue = "" // nothing has such a key
	}
	if _, ok := columns[q.sort]; !ok {
		q.sort, q.desc = "level", true
	}
	interval, err := time.ParseDuration(v.Get("interval"))
	if err != nil {
		interval = time.Second
	}
	return q, min(max(interval, 250*time.Millisecond), time.Minute)
}

// columns compare two queues of a sample.
var columns = map[string]func(s *sample, i, j int) int{
	"level": func(s *sample, i, j int) int {
		return cmp.Or(cmp.Compare(s.levels[i], s.levels[j]), byWaiting(s, i, j), byRate(s, i, j),
			cmp.Compare(s.tracks[i].running, s.tracks[j].running), cmp.Compare(s.tracks[i].now.total, s.tracks[j].now.total))
	},
	"name":    func(s *sample, i, j int) int { return strings.Compare(s.q(i).Name, s.q(j).Name) },
	"kind":    func(s *sample, i, j int) int { return strings.Compare(s.q(i).Kind, s.q(j).Kind) },
	"rate":    byRate,
	"running": func(s *sample, i, j int) int { return cmp.Compare(s.tracks[i].running, s.tracks[j].running) },
	"waiting": byWaiting,
	"delayed": func(s *sample, i, j int) int { return cmp.Compare(s.q(i).Stats.Delayed, s.q(j).Stats.Delayed) },
	"max_active": func(s *sample, i, j int) int {
		return cmp.Compare(s.q(i).Stats.MaxActive, s.q(j).Stats.MaxActive)
	},
	"total":   func(s *sample, i, j int) int { return cmp.Compare(s.tracks[i].now.total, s.tracks[j].now.total) },
	"failed":  func(s *sample, i, j int) int { return cmp.Compare(s.tracks[i].now.failed, s.tracks[j].now.failed) },
	"retried": func(s *sample, i, j int) int { return cmp.Compare(s.tracks[i].now.retried, s.tracks[j].now.retried) },
	"dead":    func(s *sample, i, j int) int { return cmp.Compare(s.tracks[i].now.dead, s.tracks[j].now.dead) },
	"hogs":    func(s *sample, i, j int) int { return cmp.Compare(s.tracks[i].now.hogs, s.tracks[j].now.hogs) },
	"wait":    func(s *sample, i, j int) int { return cmp.Compare(s.q(i).Wait.P99, s.q(j).Wait.P99) },
	"run":     func(s *sample, i, j int) int { return cmp.Compare(s.q(i).Run.P99, s.q(j).Run.P99) },
}

func byRate(s *sample, i, j int) int { return cmp.Compare(s.tracks[i].rate, s.tracks[j].rate) }

func byWaiting(s *sample, i, j int) int { return cmp.Compare(s.tracks[i].waiting, s.tracks[j].waiting) }

func (s *sample) q(i int) *cmwq.QueueSnapshot { return &s.snap.Queues[i] }

// rows are the first queues that q asks for, and how many are left out.
func (s *sample) rows(q query) (rows []row, cut int) {
	var found []int
	for i := range s.snap.Queues {
		if s.matches(i, q.search) {
			found = append(found, i)
		}
	}
	compare := columns[q.sort]
	slices.SortStableFunc(found, func(i, j int) int {
		if q.desc {
			return compare(s, j, i)
		}
		return compare(s, i, j)
	})
	if len(found) > maxRows {
		found, cut = found[:maxRows], len(found)-maxRows
	}
	rows = make([]row, len(found))
	for k, i := range found {
		rows[k] = s.rowOf(i)
	}
	return rows, cut
}

func (s *sample) matches(i int, search string) bool {
	if search == "" {
		return true
	}
	q := s.q(i)
	return strings.Contains(strings.ToLower(q.Name), search) || strings.Contains(q.Kind, search) ||
		strings.Contains(s.levels[i].String(), search) ||
		slices.ContainsFunc(q.Flags, func(f string) bool { return strings.Contains(f, search) })
}
