package top_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/top"
	"github.com/cmwq/cmwq/messages"
)

// teller is a program that answers, and counts.
type teller struct {
	asked  int
	where  error
	stacks error
}

func (*teller) Addr() string { return "here" }
func (a *teller) Snapshot(context.Context) (*messages.Snapshot, error) {
	a.asked++
	return &messages.Snapshot{At: time.Now()}, nil
}
func (a *teller) Where(context.Context) (*messages.Diagnosis, error) {
	return &messages.Diagnosis{}, a.where
}
func (a *teller) Stacks(context.Context) (string, error) { return "goroutines", a.stacks }

// The program is asked again an interval after it has answered, unless the view is
// paused; then as soon as it goes on.
func TestAsksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &teller{}
		var m tea.Model = top.New(t.Context(), a, 3*time.Second, "")
		cmd := m.Init()
		turn := func() {
			msg := cmd()
			if b, ok := msg.(tea.BatchMsg); ok { // the interval, and nothing to look for
				msg = b[0]()
			}
			m, cmd = m.Update(msg)
		}
		turn()
		require.Equal(t, 1, a.asked)
		begun := time.Now()
		turn() // the interval
		require.Equal(t, 3*time.Second, time.Since(begun))
		turn()
		require.Equal(t, 2, a.asked)

		m, _ = m.Update(press("space"))
		turn()
		require.Nil(t, cmd, "nothing is asked while it is paused")
		m, cmd = m.Update(press("space"))
		turn()
		require.Equal(t, 3, a.asked)
		require.NotNil(t, cmd)

		// Paused and on again within an interval: one question at a time.
		m, _ = m.Update(press("space"))
		var none tea.Cmd
		m, none = m.Update(press("space"))
		require.Nil(t, none)
	})
}

// Where items are is asked for when it is shown, and not again of a program that
// cannot say it; that one's goroutines are looked through.
func TestLooksForItems(t *testing.T) {
	a := &teller{}
	var m tea.Model = top.New(t.Context(), a, time.Second, "")
	m, cmd := m.Update(press("s"))
	m, cmd = m.Update(cmd())
	require.Nil(t, cmd)
	require.Contains(t, screen(t, m), "nothing is in flight")

	a.where, a.stacks = errors.New("404"), errors.New("403 Forbidden\n\nask for it")
	m, _ = m.Update(press("esc"))
	m, cmd = m.Update(press("s"))
	m, cmd = m.Update(cmd())
	require.Contains(t, screen(t, m), "asking")
	m, _ = m.Update(cmd())
	require.Contains(t, screen(t, m), "403 Forbidden")
	require.Contains(t, screen(t, m), "ask for it")
}

// q and ctrl+c quit, whatever is shown; in a filter q is a letter.
func TestQuits(t *testing.T) {
	quits := func(keys ...string) bool {
		var m tea.Model = top.New(t.Context(), &teller{}, time.Second, "")
		var cmd tea.Cmd
		for _, k := range keys {
			m, cmd = m.Update(press(k))
		}
		if cmd == nil {
			return false
		}
		_, ok := cmd().(tea.QuitMsg)
		return ok
	}
	require.True(t, quits("q"))
	require.True(t, quits("?", "q"))
	require.True(t, quits("ctrl+c"))
	require.True(t, quits("/", "ctrl+c"))
	require.False(t, quits("/", "q"))
}
