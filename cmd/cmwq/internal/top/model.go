// Package top is the live view of a program's queues: a table to sort and filter, a
// queue to look into, stacks, help. A Model takes messages and shows text; what asks
// the program, and the terminal, are others'.
package top

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/monitor"
	"github.com/cmwq/cmwq/messages"
)

// Asker asks a program.
type Asker interface {
	Addr() string
	Snapshot(ctx context.Context) (*messages.Snapshot, error)
	Where(ctx context.Context) (*messages.Diagnosis, error)
	Stacks(ctx context.Context) (string, error)
}

// mode is what the screen shows.
type mode uint8

const (
	queues mode = iota // the table
	queue              // one queue
	stacks             // goroutines
	help
)

// Model is the view's state. It is a value: Update gives the next one.
type Model struct {
	ctx   context.Context
	ask   Asker
	every time.Duration

	width, height int
	now, before   *messages.Snapshot
	rows          []monitor.Row // of all queues
	alerts        []monitor.Alert
	trend         trend
	seen          monitor.Seen
	err           error // of the last question
	paused        bool
	asking        bool // a question is out

	mode    mode
	back    []mode // where esc leads to
	sort    string // column
	reverse bool   // the other way than the column's own
	filter  string
	typing  bool   // the filter is being typed
	chosen  string // queue: by name, so that it stays chosen when the order changes
	top     int    // first row shown
	scroll  int    // first line shown, where there is no table
	where   whereabouts
	stacks  string // as fetched, where the program does not know where its items are
	stackOf string // queue whose goroutines are looked for, "" for all
}

// New makes a view of a program that is asked so often, of the queues whose names
// contain the filter.
func New(ctx context.Context, ask Asker, every time.Duration, filter string) Model {
	return Model{ctx: ctx, ask: ask, every: every, filter: filter, sort: "rate", width: 80, height: 24, trend: trend{}, seen: monitor.Seen{}, asking: true}
}

// Init asks for the first time.
func (m Model) Init() tea.Cmd { return m.fetch() }

type (
	// Answer is what the program said, or why it did not.
	Answer struct {
		Snapshot *messages.Snapshot
		Err      error
	}
	// Whereabouts say where the items in flight are.
	Whereabouts struct {
		Diagnosis *messages.Diagnosis
		Err       error
	}
	// Goroutines is the program's goroutine profile.
	Goroutines struct {
		Text string
		Err  error
	}
	again struct{}
)

func (m Model) fetch() tea.Cmd {
	return func() tea.Msg {
		s, err := m.ask.Snapshot(m.ctx)
		return Answer{s, err}
	}
}

// Update takes a message.
func (m Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case Answer:
		m = m.answered(msg)
		return m, tea.Batch(tea.Tick(m.every, func(time.Time) tea.Msg { return again{} }), m.seek())
	case again:
		if m.paused {
			m.asking = false
			return m, nil
		}
		return m, m.fetch()
	case Whereabouts:
		return m.found(msg)
	case Goroutines:
		m.stacks = msg.Text
		if msg.Err != nil {
			m.stacks = msg.Err.Error()
		}
	case tea.KeyPressMsg:
		return m.key(msg)
	}
	return m, nil
}

func (m Model) answered(a Answer) Model {
	m.err = a.Err
	if a.Err != nil {
		return m
	}
	if m.now != nil && !a.Snapshot.At.After(m.now.At) {
		m.now = nil // the program, or its clock, began anew
	}
	m.before, m.now = m.now, a.Snapshot
	m.rows = monitor.Rows(m.now, m.before, nil)
	m.alerts = m.find()
	m.trend.add(m.rows)
	return m
}

// find says what is wrong, with where the items were when somebody looked last.
func (m Model) find() []monitor.Alert {
	return monitor.Find(m.now, m.rows, m.where.items, m.seen)
}

// Size is the window's, in characters.
func (m Model) Size() (width, height int) { return m.width, m.height }
