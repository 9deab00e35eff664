package run_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/tests/peers/run"
)

func TestSummarize(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   run.Summary
	}{
		{nil, run.Summary{}},
		{[]float64{3}, run.Summary{N: 1, Median: 3, Min: 3, Max: 3}},
		{[]float64{4, 2}, run.Summary{N: 2, Median: 3, Min: 2, Max: 4, Spread: 1. / 3}},
		{[]float64{5, 1, 3, 2, 4}, run.Summary{N: 5, Median: 3, Min: 1, Max: 5, Spread: 2. / 3}},
		{[]float64{7, 7, 7, 7}, run.Summary{N: 4, Median: 7, Min: 7, Max: 7}},
		{[]float64{0, 0, 1}, run.Summary{N: 3, Max: 1}}, // of a median of 0 nothing is a share
	} {
		before := append([]float64(nil), c.values...)
		got := run.Summarize(c.values)
		require.InDelta(t, c.want.Spread, got.Spread, 1e-9, "%v", c.values)
		got.Spread = c.want.Spread
		require.Equal(t, c.want, got, "%v", c.values)
		require.Equal(t, before, c.values, "they stay in their order")
	}
}
