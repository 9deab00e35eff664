package observe

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cmwq/cmwq"
)

// What a queue's numbers tell, whether anything of it was met or not.

func findFailing(q *cmwq.QueueSnapshot, t *track, since time.Duration) (a alert, ok bool) {
	d := t.now.less(t.past)
	if d.failed <= 0 && d.retried <= 0 {
		return a, false
	}
	var parts []string
	if d.failed > 0 {
		parts = append(parts, count(int(d.failed), "item failed for good", "items failed for good"))
	}
	if d.dead > 0 {
		parts = append(parts, count(int(d.dead), "is a dead letter", "are dead letters"))
	}
	if d.retried > 0 {
		parts = append(parts, count(int(d.retried), "was tried again", "were tried again"))
	}
	a = alert{level: fails, weight: d.failed<<20 + d.retried}
	a.text = fmt.Sprintf("Queue %s: in the last %s %s.", shown(q.Name), ago(since), strings.Join(parts, ", "))
	if f := q.LastFailure; f != nil {
		a.text += fmt.Sprintf(" Lately: %s.", shown(f.Error))
	}
	return a, true
}

// findLong looks at numbers, for what samples do not meet: items that have their worker for
// long on the average. What they do with it is as one of them was seen last.
func (s *sample) findLong(q *cmwq.QueueSnapshot, t *track) (a alert, ok bool) {
	d := t.now.less(t.past)
	if d.total < 3 || d.cpu < time.Duration(d.total)*long {
		return a, false
	}
	each := d.cpu / time.Duration(d.total)
	saw, at := t.saw, ""
	if h := s.reported(q.Name); h != nil {
		at = fmt.Sprintf(", one was seen at %s", shown(fmt.Sprintf("%s:%d", filepath.Base(h.Where.File), h.Where.Line)))
		if saw == fine && h.Where.Blocked() {
			saw = silent
		} else if saw == fine {
			saw = hogs
		}
	}
	a = alert{level: max(saw, silent), weight: int64(each)}
	words := "and do not say whether they sleep"
	switch saw {
	case silent:
		words, a.advice = "and block without saying so", adviceBlock
	case hogs:
		words, a.advice = "and compute", adviceHog
	default:
		a.level, a.advice = hogs, "If they compute: declare the queue CPUIntensive. If they block: use ctx.Block."
	}
	a.text = fmt.Sprintf("Queue %s: items have their worker for %s each, %s (in the last %s)%s.", shown(q.Name), ago(each), words, ago(s.since), at)
	return a, true
}

// reported is the last report of a hog of the queue that was seen, or nil.
func (s *sample) reported(queue string) *cmwq.Hog {
	for i := range s.snap.Hogs {
		if h := &s.snap.Hogs[i]; h.Queue == queue && h.Where != nil {
			return h
		}
	}
	return nil
}

// long is what items may have their worker for, on the average.
const long = 20 * time.Millisecond

// unmanaged says whether items of a queue hold up no others, whatever they do.
func unmanaged(q *cmwq.QueueSnapshot) bool {
	return q.Kind == "unbound" || q.Kind == "ordered" || slices.Contains(q.Flags, "cpu_intensive")
}
