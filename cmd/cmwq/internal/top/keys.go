package top

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

const (
	fastest = 100 * time.Millisecond
	slowest = time.Minute
)

func (m Model) key(k tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	if k.String() == "ctrl+c" {
		return m, tea.Quit
	}
	if m.typing {
		return m.typed(k), nil
	}
	switch k.String() {
	case "q":
		return m, tea.Quit
	case "esc", "backspace":
		return m.esc(), nil
	case "?", "h":
		return m.enter(help), nil
	case "s":
		return m.showStacks()
	case "space", "p":
		m.paused = !m.paused
		if !m.paused && !m.asking {
			m.asking = true
			return m, m.fetch()
		}
		return m, nil
	case "+", "=":
		m.every = max(fastest, m.every/2)
		return m, nil
	case "-":
		m.every = min(slowest, m.every*2)
		return m, nil
	}
	if m.mode == queues {
		return m.tableKey(k.String())
	}
	return m.scrollKey(k.String()), nil
}

func (m Model) tableKey(k string) (tea.Model, tea.Cmd) {
	page := m.room()
	switch k {
	case "up", "k":
		return m.move(-1), nil
	case "down", "j":
		return m.move(1), nil
	case "pgup", "ctrl+u":
		return m.move(-page), nil
	case "pgdown", "ctrl+d":
		return m.move(page), nil
	case "home", "g":
		return m.move(-len(m.rows)), nil
	case "end", "G":
		return m.move(len(m.rows)), nil
	case "enter":
		if m.chosen = m.cursor(); m.chosen != "" {
			m = m.enter(queue)
			return m, m.seek()
		}
	case "/":
		m.typing = true
	case "<", "left":
		m.sort, m.reverse = m.neighbour(-1), false
	case ">", "right":
		m.sort, m.reverse = m.neighbour(1), false
	case "r":
		m.reverse = !m.reverse
	default:
		if c, ok := sortKeys[k]; ok {
			m.sort, m.reverse = c, false
		}
	}
	return m, nil
}

// sortKeys choose a column to sort by.
var sortKeys = map[string]string{
	"N": "name", "T": "total", "R": "rate", "I": "infl", "W": "wait", "C": "load", "F": "failed", "L": "wait99",
}

func (m Model) scrollKey(k string) Model {
	page := max(1, m.height-4)
	switch k {
	case "up", "k":
		m.scroll--
	case "down", "j":
		m.scroll++
	case "pgup", "ctrl+u":
		m.scroll -= page
	case "pgdown", "ctrl+d":
		m.scroll += page
	case "home", "g":
		m.scroll = 0
	case "end", "G":
		m.scroll = 1 << 30
	case "enter":
		return m.esc()
	}
	m.scroll = max(0, min(m.scroll, len(m.lines())-page))
	return m
}

// typed takes a key of the filter, which works while it is typed.
func (m Model) typed(k tea.KeyPressMsg) Model {
	switch k.String() {
	case "enter":
		m.typing = false
	case "esc":
		m.typing, m.filter = false, ""
	case "backspace":
		if r := []rune(m.filter); len(r) > 0 {
			m.filter = string(r[:len(r)-1])
		}
	case "ctrl+u":
		m.filter = ""
	default:
		m.filter += strings.ToValidUTF8(k.Text, "")
	}
	m.top = 0
	return m
}

// enter shows something else, until esc.
func (m Model) enter(to mode) Model {
	if m.mode != to {
		m.back = append(slices.Clip(m.back), m.mode)
		m.mode, m.scroll = to, 0
	}
	return m
}

func (m Model) esc() Model {
	if n := len(m.back); n > 0 {
		m.mode, m.back, m.scroll = m.back[n-1], m.back[:n-1], 0
		return m
	}
	m.filter, m.top = "", 0
	return m
}

func (m Model) showStacks() (tea.Model, tea.Cmd) {
	m.stackOf = ""
	if m.mode == queue {
		m.stackOf = m.chosen
	}
	m.stacks = "asking..."
	m = m.enter(stacks)
	m.scroll = 0
	if m.where.unknown {
		return m, m.fetchStacks()
	}
	return m, m.seek()
}
