package monitor

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/client"
	"github.com/cmwq/cmwq/messages"
)

const nameWidth = 24

// Write writes rows as a table: a name, then the columns, right-justified.
func Write(w io.Writer, rows []Row, columns []Column) error {
	var b strings.Builder
	b.WriteString(Pad("", nameWidth))
	for _, c := range columns {
		fmt.Fprintf(&b, " %*s", c.Width, c.Head)
	}
	b.WriteByte('\n')
	for i := range rows {
		b.WriteString(Pad(client.CleanLine(rows[i].Name), nameWidth))
		for _, c := range columns {
			fmt.Fprintf(&b, " %*s", c.Width, c.Text(&rows[i]))
		}
		b.WriteByte('\n')
	}
	if len(rows) == 0 {
		b.WriteString("no queue\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// line is a row in JSON: the queue without its shares, and the rates.
type line struct {
	At      time.Time             `json:"at"`
	Name    string                `json:"name"`
	Kind    string                `json:"kind"`
	Flags   []string              `json:"flags,omitempty"`
	Waiting int                   `json:"waiting"`
	Rate    *float64              `json:"rate,omitempty"`      // a second
	Load    *float64              `json:"load,omitempty"`      // seconds on items, a second
	Fails   *float64              `json:"fail_rate,omitempty"` // a second
	Stats   messages.Stats        `json:"stats"`
	Wait    messages.Distribution `json:"wait"`
	Run     messages.Distribution `json:"run"`
}

// WriteJSON writes rows as JSON, an object a line.
func WriteJSON(w io.Writer, at time.Time, rows []Row) error {
	enc := json.NewEncoder(w)
	for i := range rows {
		r := &rows[i]
		l := line{
			At: at, Name: r.Name, Kind: r.Kind, Flags: r.Flags, Waiting: r.Waiting,
			Stats: r.Stats, Wait: r.Wait, Run: r.Run,
		}
		if r.Rate >= 0 {
			l.Rate, l.Load, l.Fails = &r.Rate, &r.Load, &r.Fails
		}
		if err := enc.Encode(l); err != nil {
			return err
		}
	}
	return nil
}

// Pad makes text as wide as it should be on a terminal; what is cut ends with "…".
func Pad(text string, width int) string {
	text = ansi.Truncate(text, width, "…")
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
}

// Count writes a number in at most seven places: 9999999, then 10.0M.
func Count(n int64) string {
	if n < 10_000_000 {
		return strconv.FormatInt(n, 10)
	}
	return Rate(float64(n))
}

// Rate writes a number in at most five places; "-" stands for one not known.
func Rate(x float64) string {
	if x < 0 {
		return "-"
	}
	digits := 0
	switch {
	case x == 0:
		return "0"
	case x < 10:
		digits = 2
	case x < 100:
		digits = 1
	}
	for _, unit := range []string{"", "k", "M", "G", "T"} {
		if x < 9999.5 {
			return strconv.FormatFloat(x, 'f', digits, 64) + unit
		}
		x /= 1000
		digits = 0
		if x < 100 {
			digits = 1
		}
	}
	return strconv.FormatFloat(x, 'g', 2, 64) + "T"
}

// Span writes a duration with about three digits.
func Span(d time.Duration) string {
	switch {
	case d < time.Microsecond:
		return strconv.FormatInt(int64(d), 10) + "ns"
	case d < time.Millisecond:
		return three(float64(d)/1e3) + "µs"
	case d < time.Second:
		return three(float64(d)/1e6) + "ms"
	case d < 1000*time.Second:
		return three(d.Seconds()) + "s"
	case d < 100*time.Hour:
		return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%dd%02dh", int(d.Hours())/24, int(d.Hours())%24)
}

func three(x float64) string {
	switch {
	case x < 9.995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case x < 99.95:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}
