package messages

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// WriteTo writes the busy queues and pools as text, for people; what is idle is
// left out.
func (s *Snapshot) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	for i := range s.Queues {
		if q := &s.Queues[i]; q.Busy() {
			fmt.Fprintf(&b, "queue %s: %s\n", q.Name, strings.Join(q.Flags, " "))
			for j := range q.Shares {
				q.Shares[j].write(&b)
			}
		}
	}
	for i := range s.Pools {
		if p := &s.Pools[i]; p.Busy() {
			p.write(&b)
		}
	}
	if b.Len() == 0 {
		b.WriteString("every queue is empty\n")
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

func (s *ShareSnapshot) write(b *strings.Builder) {
	if s.Active == 0 && s.Inactive == 0 {
		return
	}
	fmt.Fprintf(b, "  on pool %s: active %d", s.Pool, s.Active)
	if s.MaxActive > 0 {
		fmt.Fprintf(b, "/%d", s.MaxActive)
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
	if e.Func == "" {
		fmt.Fprintf(&b, "%s %s", e.Worker, e.State)
	} else {
		fmt.Fprintf(&b, "%s %s for %s, %s", e.Worker, e.Func, seconds(e.For), e.State)
	}
	if e.Desc != "" {
		fmt.Fprintf(&b, ", %q", e.Desc)
	}
	if e.Waiters > 0 {
		fmt.Fprintf(&b, ", waited for by %d", e.Waiters)
	}
	if len(e.Scheduled) > 0 {
		fmt.Fprintf(&b, "; then %s", list(e.Scheduled))
	}
	return b.String()
}

func (p *PoolSnapshot) write(b *strings.Builder) {
	fmt.Fprintf(b, "pool %s: %s", p.Name, p.Kind)
	if p.HighPri {
		b.WriteString(" highpri")
	}
	fmt.Fprintf(b, ", running %d", p.Running)
	if p.Width > 0 {
		fmt.Fprintf(b, "/%d", p.Width)
	}
	fmt.Fprintf(b, ", workers %d, waiting %d", p.Workers, p.Waiting)
	if p.Waiting > 0 {
		fmt.Fprintf(b, ", hung %s", seconds(p.Hung))
	}
	if p.Wanted > 0 {
		fmt.Fprintf(b, ", manager makes %d", p.Wanted)
	}
	if len(p.Idle) > 0 {
		fmt.Fprintf(b, ", idle: %s", strings.Join(p.Idle, " "))
	}
	b.WriteByte('\n')
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
