package policy

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Shares that count by epoch, and a queue that joins what they report, agree with
// a list of all items, each with the flush it came before.
func TestRandomFlushes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := &flushModel{f: NewFlushes(0)}
		for range rapid.IntRange(1, 4).Draw(t, "shares") {
			m.shares = append(m.shares, new(Epochs))
		}
		m.f = NewFlushes(len(m.shares))
		m.told = make([]uint32, len(m.shares))
		share := rapid.IntRange(0, len(m.shares)-1)
		t.Repeat(map[string]func(*rapid.T){
			"": m.check,
			"arrive": func(t *rapid.T) {
				i, n := share.Draw(t, "share"), rapid.IntRange(1, 4).Draw(t, "n")
				m.shares[i].arrive(n)
				for range n {
					m.items = append(m.items, epochItem{i, m.shares[i].Now()})
				}
			},
			"finish": m.finish,
			"flush":  func(*rapid.T) { m.asked = m.f.Close() + 1 },
			"tell":   func(t *rapid.T) { m.tell(share.Draw(t, "share")) },
		})
		m.finishAll()
		require.Equal(t, m.asked, m.complete, "some flush is never answered")
	})
}

// flushModel has every unfinished item in one list.
type flushModel struct {
	f        *Flushes
	shares   []*Epochs
	items    []epochItem
	asked    uint32   // flushes that were begun
	told     []uint32 // of them, those that each share was told
	complete uint32   // what the queue believes
}

type epochItem struct {
	share int
	epoch uint32
}

// tell has a share close its next epoch, if a flush has asked for that.
func (m *flushModel) tell(i int) {
	if m.told[i] < m.asked {
		m.told[i]++
		m.report(i)(m.shares[i].Close())
	}
}

func (m *flushModel) report(i int) func(epoch uint32, ok bool) {
	return func(epoch uint32, ok bool) {
		if ok {
			m.complete = m.f.Empty(i, epoch)
		}
	}
}

func (m *flushModel) finish(t *rapid.T) {
	if len(m.items) == 0 {
		t.Skip("there is none")
	}
	m.finishItem(rapid.IntRange(0, len(m.items)-1).Draw(t, "item"))
}

func (m *flushModel) finishItem(k int) {
	it := m.items[k]
	m.items = append(m.items[:k:k], m.items[k+1:]...)
	m.report(it.share)(m.shares[it.share].Finish(it.epoch, 1))
}

func (m *flushModel) finishAll() {
	for i := range m.shares {
		for m.told[i] < m.asked {
			m.tell(i)
		}
	}
	for len(m.items) > 0 {
		m.finishItem(len(m.items) - 1)
	}
}

// check: a flush is complete when every share was told of it, and no item of its
// epoch or of one before is unfinished.
func (m *flushModel) check(t *rapid.T) {
	want := m.asked
	for i, e := range m.shares {
		want = min(want, m.told[i])
		unfinished := 0
		for _, it := range m.items {
			if it.share == i {
				unfinished++
				want = min(want, it.epoch)
			}
		}
		require.Equal(t, unfinished, e.Unfinished(), "share %d", i)
		for epoch := range e.Now() + 1 {
			n := 0
			for _, it := range m.items {
				if it.share == i && it.epoch <= epoch {
					n++
				}
			}
			require.Equal(t, n, e.UpTo(epoch), "share %d up to %d", i, epoch)
		}
		require.Equal(t, m.told[i], e.Now())
	}
	require.Equal(t, want, m.complete)
}
