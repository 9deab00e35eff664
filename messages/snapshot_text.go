package messages

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// WriteTo writes the busy queues and pools as text, for people; what is idle is
// left out. (kernel: show_all_workqueues)
func (s *Snapshot) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	s.writeQueues(&b, func(*QueueSnapshot) bool { return true })
	for i := range s.Pools {
		if p := &s.Pools[i]; p.Busy() {
			p.write(&b)
		}
	}
	if b.Len() == 0 {
		b.WriteString("every queue is empty\n")
	}
	for i := range s.Hogs {
		s.Hogs[i].write(&b, s.At)
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// WriteFreezable writes the freezable queues that are busy: what a freeze waits for.
// Nothing if there is none. (kernel: show_freezable_workqueues)
func (s *Snapshot) WriteFreezable(w io.Writer) error {
	var b strings.Builder
	s.writeQueues(&b, func(q *QueueSnapshot) bool { return slices.Contains(q.Flags, "freezable") })
	_, err := io.WriteString(w, b.String())
	return err
}

func (s *Snapshot) writeQueues(b *strings.Builder, wanted func(q *QueueSnapshot) bool) {
	pools := make(map[string]*PoolSnapshot, len(s.Pools))
	for i := range s.Pools {
		pools[s.Pools[i].Name] = &s.Pools[i]
	}
	for i := range s.Queues {
		if q := &s.Queues[i]; q.Busy() && wanted(q) {
			fmt.Fprintf(b, "queue %s: %s\n", Clean(q.Name), strings.Join(q.Flags, " "))
			for j := range q.Shares {
				q.Shares[j].write(b, pools[q.Shares[j].Pool])
			}
			if f := q.LastFailure; f != nil {
				fmt.Fprintf(b, "  last failure: %s ago, %s\n", seconds(s.At.Sub(f.At)), Clean(f.Error))
			}
		}
	}
}

func (s *ShareSnapshot) write(b *strings.Builder, p *PoolSnapshot) {
	if s.Active == 0 && s.Inactive == 0 {
		return
	}
	fmt.Fprintf(b, "  on pool %s:", s.Pool)
	if p != nil {
		p.where(b)
	}
	fmt.Fprintf(b, " active %d", s.Active)
	if s.MaxActive > 0 {
		fmt.Fprintf(b, "/%d", s.MaxActive)
	}
	if s.Retired {
		b.WriteString(", retired")
	}
	if s.Mayday {
		b.WriteString(" MAYDAY")
	}
	b.WriteByte('\n')
	for i := range s.InFlight {
		fmt.Fprintf(b, "    in flight: %s\n", &s.InFlight[i])
	}
	if len(s.Pending) > 0 {
		fmt.Fprintf(b, "    pending: %s\n", list(s.Pending))
	}
	if len(s.Held) > 0 {
		fmt.Fprintf(b, "    inactive: %s\n", list(s.Held))
	}
}

// String is the execution in a line: worker, function, seconds, and what is known
// beside it.
func (e *InFlight) String() string {
	var b strings.Builder
	b.WriteString(Clean(e.Worker))
	if e.Rescuer {
		b.WriteString("(RESCUER)")
	}
	if e.Func == "" {
		fmt.Fprintf(&b, " %s", e.State)
	} else {
		fmt.Fprintf(&b, " %s for %s, %s", e.Func, seconds(e.For), e.State)
	}
	if e.Desc != "" {
		fmt.Fprintf(&b, ", %q", e.Desc)
	}
	if e.Thread != nil {
		fmt.Fprintf(&b, ", %s", e.Thread)
	}
	if e.Waiters > 0 {
		fmt.Fprintf(&b, ", waited for by %d", e.Waiters)
	}
	if len(e.Scheduled) > 0 {
		fmt.Fprintf(&b, "; then %s", list(e.Scheduled))
	}
	return b.String()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3gs", d.Seconds()) }

// list is runs in a line: 3*f for three of f in a row, and who waits behind it.
func list(runs []Run) string {
	s := make([]string, len(runs))
	for i, r := range runs {
		s[i] = r.String()
	}
	return strings.Join(s, ", ")
}

func (r Run) String() string {
	s := r.Func
	if r.N > 1 {
		s = fmt.Sprintf("%d*%s", r.N, r.Func)
	}
	if r.Waiters > 0 {
		s += fmt.Sprintf(" BAR(%d)", r.Waiters)
	}
	return s
}

// Clean gives a name as text for a terminal or a log: quoted if it has anything that is
// not printable, so that no name breaks a line or moves a cursor.
func Clean(name string) string {
	for _, r := range name {
		if !strconv.IsPrint(r) || r == utf8.RuneError {
			return strconv.Quote(name)
		}
	}
	return name
}
