package top_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/top"
	"github.com/cmwq/cmwq/messages"
)

// asker is no program: its answers are told.
type asker struct{}

func (asker) Addr() string { return "http://127.0.0.1:6070/debug/cmwq/" }
func (asker) Snapshot(context.Context) (*messages.Snapshot, error) {
	return nil, errors.New("nobody was told to ask")
}
func (asker) Where(context.Context) (*messages.Diagnosis, error) {
	return nil, errors.New("nobody was told to look")
}
func (asker) Stacks(context.Context) (string, error) { return "", nil }

func snapshot(t *testing.T, name string) *messages.Snapshot {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name + ".json")
	require.NoError(t, err)
	var s messages.Snapshot
	require.NoError(t, json.Unmarshal(b, &s))
	s.At = s.At.In(time.Local)
	return &s
}

// Each file is a session: the window's size, what the program answers, what its user
// types, and the screen after it, without colours.
func TestSessions(t *testing.T) {
	t.Setenv("TZ", "UTC")
	time.Local = time.UTC
	datadriven.Walk(t, "testdata/sessions", func(t *testing.T, path string) {
		var m tea.Model = top.New(t.Context(), asker{}, time.Second, "")
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			for line := range strings.Lines(d.Input) {
				m = step(t, m, strings.TrimSuffix(line, "\n"))
			}
			return screen(t, m)
		})
	})
}

// step does one line of a session.
func step(t *testing.T, m tea.Model, line string) tea.Model {
	t.Helper()
	what, rest, _ := strings.Cut(line, " ")
	switch what {
	case "size":
		var w, h int
		_, err := fmt.Sscan(rest, &w, &h)
		require.NoError(t, err)
		m, _ = m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	case "snap":
		m, _ = m.Update(top.Answer{Snapshot: snapshot(t, rest)})
	case "many":
		m, _ = m.Update(top.Answer{Snapshot: many(t, rest)})
	case "fail":
		m, _ = m.Update(top.Answer{Err: errors.New(rest)})
	case "where":
		b, err := os.ReadFile("testdata/" + rest + ".json")
		require.NoError(t, err)
		var d messages.Diagnosis
		require.NoError(t, json.Unmarshal(b, &d))
		m, _ = m.Update(top.Whereabouts{Diagnosis: &d})
	case "silent": // an item sleeps, and its worker was taken for a hog
		f := messages.InFlight{Worker: "kworker/0:1", Func: "main.silent", For: 2 * time.Second, State: "hog"}
		m, _ = m.Update(top.Answer{Snapshot: &messages.Snapshot{At: time.Unix(1e10, 0), Queues: []messages.QueueSnapshot{
			{Name: "silent", Kind: "percpu", Shares: []messages.ShareSnapshot{{Pool: "0", Active: 1, InFlight: []messages.InFlight{f}}}},
		}}})
		m, _ = m.Update(top.Whereabouts{Diagnosis: &messages.Diagnosis{Items: []messages.Diagnosed{
			{Queue: "silent", InFlight: f, Where: &messages.Where{State: "sleep", Func: "main.silent", File: "/src/main.go", Line: 7}},
		}}})
	case "nowhere":
		m, _ = m.Update(top.Whereabouts{Err: errors.New(rest)})
	case "stacks":
		m, _ = m.Update(top.Goroutines{Text: strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(rest)})
	case "keys":
		for k := range strings.FieldsSeq(rest) {
			m, _ = m.Update(press(k))
		}
	default:
		t.Fatalf("unknown line %q", line)
	}
	return m
}

// many is a program of so many queues, each of which has started so many items as its
// number says, times the minute.
func many(t *testing.T, text string) *messages.Snapshot {
	t.Helper()
	var n, minute int
	_, err := fmt.Sscan(text, &n, &minute)
	require.NoError(t, err)
	return queuesOf(n, minute)
}

func queuesOf(n, minute int) *messages.Snapshot {
	s := &messages.Snapshot{At: time.Unix(int64(60*minute), 0)}
	for i := range n {
		q := messages.QueueSnapshot{Name: fmt.Sprintf("queue-%03d", i), Kind: "managed"}
		q.Stats.Total = int64(i * 60 * minute)
		s.Queues = append(s.Queues, q)
	}
	return s
}

var special = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"end": tea.KeyEnd, "home": tea.KeyHome, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace, "space": tea.KeySpace,
}

func press(k string) tea.KeyPressMsg {
	if code, ok := special[k]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if rest, ok := strings.CutPrefix(k, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(rest[0]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
}

// screen is what is shown, and checked to fit.
func screen(t *testing.T, m tea.Model) string {
	t.Helper()
	width, height := m.(top.Model).Size()
	lines := strings.Split(m.View().Content, "\n")
	require.LessOrEqual(t, len(lines), height)
	for i, l := range lines {
		require.LessOrEqual(t, ansi.StringWidth(l), width, l)
		plain := ansi.Strip(l)
		for _, r := range plain {
			require.False(t, r < ' ' || r == '\u202e', "%q", plain)
		}
		lines[i] = strings.TrimRight(plain, " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
}
