package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cmwq/cmwq/internal/policy"
)

// TestGroupAgreesWithTwoLists joins, leaves and changes the limit at random: members go
// on in order, as many as the limit allows, and nobody is held beside a free place.
func TestGroupAgreesWithTwoLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g policy.Group
		var active, held []int
		n, limit := 0, -1
		next := func() {
			for g.Next() {
				active, held = append(active, held[0]), held[1:]
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"join": func(*rapid.T) {
				if n++; g.Join() {
					active = append(active, n)
				} else {
					held = append(held, n)
				}
			},
			"leave": func(t *rapid.T) {
				if len(active) == 0 {
					t.Skip("nobody goes on")
				}
				i := rapid.IntRange(0, len(active)-1).Draw(t, "who")
				active = append(active[:i:i], active[i+1:]...)
				g.Left(false)
				next()
			},
			"cancel": func(t *rapid.T) {
				if len(held) == 0 {
					t.Skip("nobody is held")
				}
				held = held[1:]
				g.Left(true)
			},
			"limit": func(t *rapid.T) {
				limit = rapid.IntRange(-1, 5).Draw(t, "limit")
				g.SetLimit(limit)
				next()
			},
			"": func(t *rapid.T) {
				require.Equal(t, len(active)+len(held), g.Members())
				if len(held) > 0 {
					require.True(t, limit >= 0 && len(active) >= limit)
				}
			},
		})
	})
}
