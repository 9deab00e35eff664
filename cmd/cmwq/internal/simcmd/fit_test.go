package simcmd

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq/internal/sim"
)

// ideal is a setting that came out as it was published.
func ideal() (t try) {
	for row := range t.rows {
		for col := range t.rows[row] {
			t.rows[row][col] = Cell{
				Ratio: Number{Mean: published(row, col)}, CPU: Number{Mean: paper[row].cpu[col] / 100},
				Rate: Number{Mean: paper[row].bandwidth[col]},
			}
		}
	}
	return t
}

// What is left out of a fit has no part in it, and all else has.
func TestFitIsBlind(t *testing.T) {
	for left := range paper {
		x := ideal()
		require.InDelta(t, 0, x.off(left), 1e-9)
		for col := range x.rows[left] {
			x.rows[left][col] = Cell{Ratio: Number{Mean: 9}, CPU: Number{Mean: 9}, Rate: Number{Mean: 9}}
		}
		require.InDelta(t, 0, x.off(left), 1e-9)
		for row := range paper {
			x := ideal()
			x.rows[row][strict].Ratio.Mean *= 1.1
			require.Equal(t, row != left, x.off(left) > 1)
			x = ideal()
			x.rows[row][system].Rate.Mean *= 1.1
			require.Equal(t, row != left, x.off(left) > 1)
		}
	}
}

// Anybody who searches finds the same.
func TestSearchRepeats(t *testing.T) {
	m := sim.DefaultAffinity()
	m.Warm, m.Measure = 10*time.Millisecond, 20*time.Millisecond
	fits, err := Search(t.Context(), m, 4)
	require.NoError(t, err)
	require.Len(t, fits, 3)
	again, err := Search(t.Context(), m, 4)
	require.NoError(t, err)
	require.Equal(t, fits, again)
	for i, f := range fits {
		require.Equal(t, paper[i].issuers, f.Left)
		require.Equal(t, m.Move, f.Model.Move, "it is not searched for")
		for _, p := range fitted {
			x := p.value(&f.Model, 0)
			require.GreaterOrEqual(t, x, p.low*0.999)
			require.LessOrEqual(t, x, p.high*1.001)
		}
	}
	require.NotEqual(t, fits[0].Model, fits[1].Model)
}
