package policy

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Making a map of keys anew copies fewer keys, all in all, than were deleted, and a
// map is never much larger than what is in it, or than a small one.
func TestShrinkingIsRareAndEnough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, most, deleted, copied := 0, 0, 0, 0
		for range rapid.IntRange(1, 20).Draw(t, "phases") {
			if rapid.Bool().Draw(t, "grow") {
				n += rapid.IntRange(0, 5000).Draw(t, "n")
				most = max(most, n)
				continue
			}
			for range rapid.IntRange(0, n).Draw(t, "n") {
				n--
				deleted++
				if ShrinkKeys(n, most) {
					copied += n
					most = n
				}
			}
			require.True(t, most < 1024 || n > most/16, "%d keys in a map for %d", n, most)
		}
		require.LessOrEqual(t, copied, deleted)
	})
}
