package messages

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// WriteMonitor writes a line of numbers for each queue whose name matches one of the
// filters, or for all: the columns of the kernel's wq_monitor, with its meanings, and
// those that it has not.
//
//	total    items whose execution started
//	infl     executing now; what is queued is not
//	CPUtime  seconds on items, less declared sleeps
//	CPUhog   items declared CPU hogs; "-" on unbound and ordered queues
//	CMW/RPR  wake-ups because an item of this queue blocked or hogged; on unbound and
//	         ordered queues workers that were brought back to their pod
//	mayday   times that a share called the rescuer; "-" without one
//	rescued  items that it ran; "-" without one
//	delayed  armed now
//	failed, retried, dead, cancel: for good; to run again; dead letters; taken back
//	wait, run: median and 99th percentile, from queueing to start and from start to
//	         end; "-" without WithMonitor
//
// With the snapshot before, counters are of the time in between; a queue that was not
// there then has counted from 0. Percentiles are always of all the time.
func (s *Snapshot) WriteMonitor(w io.Writer, before *Snapshot, filters ...*regexp.Regexp) error {
	was := map[string]*Stats{}
	if before != nil {
		for i := range before.Queues {
			was[before.Queues[i].Name] = &before.Queues[i].Stats
		}
	}
	var b strings.Builder
	line(&b, "", monitorColumns[:])
	for i := range s.Queues {
		q := &s.Queues[i]
		if matches(q.Name, filters) {
			line(&b, Clean(q.Name), q.columns(was[q.Name]))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

var monitorColumns = [...]string{
	"total", "infl", "CPUtime", "CPUhog", "CMW/RPR", "mayday", "rescued",
	"delayed", "failed", "retried", "dead", "cancel", "wait50", "wait99", "run50", "run99",
}

func line(b *strings.Builder, name string, columns []string) {
	fmt.Fprintf(b, "%-25s", name)
	for i, c := range columns {
		width := 7
		if i == 0 || i == 2 {
			width = 9
		}
		fmt.Fprintf(b, " %*s", width, c)
	}
	b.WriteByte('\n')
}

func (q *QueueSnapshot) columns(was *Stats) []string {
	st := q.Stats
	if was != nil && was.Total <= st.Total { // else it is another queue of that name
		st = st.Since(*was)
	}
	unbound := q.Kind == "unbound" || q.Kind == "ordered"
	hog, woken := count(st.CPUHog), count(st.CMWakeup)
	if unbound {
		hog, woken = "-", count(st.Repatriated)
	}
	mayday, rescued := "-", "-"
	if slices.Contains(q.Flags, "mem_reclaim") {
		mayday, rescued = count(st.Mayday), count(st.Rescued)
	}
	return []string{
		count(st.Total), count(st.InFlight), fmt.Sprintf("%.1f", st.CPUTime.Seconds()), hog, woken, mayday, rescued,
		count(int64(st.Delayed)), count(st.Failed), count(st.Retried), count(st.DeadLettered), count(st.Cancelled),
		q.Wait.text(q.Wait.P50), q.Wait.text(q.Wait.P99), q.Run.text(q.Run.P50), q.Run.text(q.Run.P99),
	}
}

func count(n int64) string { return strconv.FormatInt(n, 10) }

func (d *Distribution) text(q time.Duration) string {
	if d.N == 0 {
		return "-"
	}
	return short(q)
}

// short writes a duration with two digits, and more where it needs none less.
func short(d time.Duration) string {
	switch {
	case d < time.Microsecond:
		return strconv.FormatInt(int64(d), 10) + "ns"
	case d < time.Millisecond:
		return digits(float64(d)/1e3) + "us"
	case d < time.Second:
		return digits(float64(d)/1e6) + "ms"
	}
	return digits(d.Seconds()) + "s"
}

func digits(x float64) string {
	if x < 10 {
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

func matches(name string, filters []*regexp.Regexp) bool {
	return len(filters) == 0 || slices.ContainsFunc(filters, func(r *regexp.Regexp) bool { return r.MatchString(name) })
}
