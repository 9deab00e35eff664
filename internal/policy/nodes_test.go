package policy

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Rows 22, 23 and 28.
func TestNodeLimits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		most, least int
		cpus, want  []int
	}{
		{16, 8, []int{8, 8}, []int{8, 8}},
		{4, 4, []int{1, 1, 1, 1}, []int{4, 4, 4, 4}}, // the sum exceeds it on purpose
		{16, 8, []int{12, 4}, []int{12, 8}},
		{20, 8, []int{1, 15}, []int{8, 19}},
		{1, 1, []int{8, 8}, []int{1, 1}},
		{10, 8, []int{3, 0}, []int{10, 8}},
		{10, 8, []int{0, 0}, []int{8, 8}}, // all CPUs gone
	} {
		total := 0
		for _, c := range tt.cpus {
			total += c
		}
		for node, c := range tt.cpus {
			require.Equal(t, tt.want[node], NodeLimit(tt.most, tt.least, node, c, total), "%+v node %d", tt, node)
		}
		require.Equal(t, tt.most, NodeLimit(tt.most, tt.least, NoNode, 0, total))
	}
}

func TestNodesFollowLimitsAndCPUs(t *testing.T) {
	t.Parallel()
	n := NewNodes(16, 8, map[int]int{0: 12, 1: 4}, []int{0, 1, NoNode})
	held := func() string { return fmt.Sprint(n.Held(0), n.Held(1), n.Held(2)) }
	require.Equal(t, "12 8 16", held())
	n.SetCPUs(map[int]int{0: 3, 1: 13})
	require.Equal(t, 13, n.Held(1))
	require.Equal(t, 4, n.of(0).asked[0], "what is over the limit is asked back")
	pay := func() { // every share is idle, and returns what it is asked for
		for again := true; again; {
			again = false
			for i := range 3 {
				if k := n.of(i).asked[i]; k > 0 {
					n.Returned(i, k)
					again = true
				}
			}
		}
	}
	pay()
	require.Equal(t, "8 13 16", held())

	n.SetMin(0) // one limit for all
	pay()
	require.Equal(t, 16, n.Held(0)+n.Held(1)+n.Held(2))
	n.SetMin(8)
	require.Equal(t, "8 13 16", held(), "each has a limit of its own again")
	n.SetMax(1)
	pay()
	require.Equal(t, "1 1 1", held(), "1,1 on two nodes")
}

// lent says who is lent a slot, "" if nobody.
func lent(orders []Order) (to string) {
	for _, o := range orders {
		if o.Lend > 0 {
			to += string(rune('a' + o.Share))
		}
	}
	return to
}

// Row 24: three shares of one node with ten waiting items each and a limit of 1.
func TestSlotsGoRoundTheSharesThatWait(t *testing.T) {
	t.Parallel()
	n := NewNodes(1, 1, map[int]int{0: 3}, []int{0, 0, 0})
	left, holder := []int{10, 10, 10}, 0
	for i := range left {
		left[i]--
		if i > 0 {
			left[i]++
			n.Borrow(i, left[i])
		}
	}
	order := "a" // has the slot
	for order != "" && len(order) < 30 {
		if left[holder] > 0 {
			n.Borrow(holder, left[holder]) // it gave the slot away, and has more
		}
		to := lent(n.Returned(holder, 1))
		require.Len(t, to, 1)
		holder = int(to[0] - 'a')
		left[holder]--
		order += to
	}
	require.Equal(t, "abcabcabcabcabcabcabcabcabcabc", order)
}

// Row 25: who waits no more, because its items were cancelled, is passed over.
func TestCancelledSharesArePassedOver(t *testing.T) {
	t.Parallel()
	n := NewNodes(1, 0, nil, []int{NoNode, NoNode, NoNode})
	n.Borrow(1, 2)
	n.Borrow(2, 2)
	n.Borrow(1, 0)
	require.Equal(t, "c", lent(n.Returned(0, 1)))
}

// A share from outside is older than the ledgers that a least number makes.
func TestShareFromOutsideOutlivesLedgers(t *testing.T) {
	t.Parallel()
	n := NewNodes(16, 0, map[int]int{0: 2, 1: 2}, []int{0})
	n.Outside(1)
	n.Add(2, 1, false)
	n.SetMin(4)
	require.NotPanics(t, func() {
		n.Remove(0)
		require.Empty(t, n.Unplug(1))
	})
}
