package policy_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cmwq/cmwq/internal/policy"
)

// TestAfterAgreesWithAList ends others one by one: the item may run when all have ended,
// unless it wants all to have ended well and one has not.
func TestAfterAgreesWithAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ends := rapid.SliceOfN(rapid.Bool(), 0, 6).Draw(t, "ends")
		onlyOK := rapid.Bool().Draw(t, "onlyOK")
		a := policy.NewAfter(len(ends), onlyOK)
		for i := range len(ends) + 1 {
			bad := slices.Contains(ends[:i], false)
			require.Equal(t, onlyOK && bad, a.Skip())
			require.Equal(t, i == len(ends) && (!onlyOK || !bad), a.Ready())
			if i < len(ends) {
				a.Ended(ends[i])
			}
		}
	})
}
