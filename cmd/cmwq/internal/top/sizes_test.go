package top_test

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/top"
)

// Whatever the size of the window, and whatever is shown, it fits.
func TestFitsEveryWindow(t *testing.T) {
	var m tea.Model = top.New(t.Context(), asker{}, time.Second, "")
	for _, line := range []string{"snap first", "snap second", "where where", "fail gone"} {
		m = step(t, m, line)
	}
	for _, keys := range []string{"", "keys / e", "keys enter N", "keys enter", "keys s", "keys ?"} {
		if keys != "" {
			m = step(t, m, keys)
		}
		for width := 1; width < 220; width += 7 {
			for height := 1; height < 60; height += 6 {
				m, _ = m.Update(tea.WindowSizeMsg{Width: width, Height: height})
				screen(t, m)
			}
		}
	}
}
