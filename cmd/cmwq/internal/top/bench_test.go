package top_test

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/top"
	"github.com/cmwq/cmwq/messages"
)

// BenchmarkManyQueues is an answer of a program with 10 000 queues, and the screen of
// it; and the screen alone, as after a key.
func BenchmarkManyQueues(b *testing.B) {
	var snaps [2]*messages.Snapshot
	for i := range snaps {
		snaps[i] = queuesOf(10_000, i+1)
	}
	start := func() tea.Model {
		var m tea.Model = top.New(b.Context(), asker{}, time.Second, "")
		for _, s := range snaps {
			m, _ = m.Update(top.Answer{Snapshot: s})
		}
		return m
	}
	b.Run("answer", func(b *testing.B) {
		for b.Loop() {
			_ = start().View()
		}
	})
	b.Run("key", func(b *testing.B) {
		m := start()
		for b.Loop() {
			m, _ = m.Update(press("down"))
			_ = m.View()
		}
	})
}
