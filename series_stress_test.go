package cmwq_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// Two systems' worth of series, in real time, with users who do what they like to their
// items: at the end every run that was queued has run or was cancelled.
func TestStressSeries(t *testing.T) {
	sys := start(t, silent())
	q := queue(t, sys, "q", cmwq.MaxActive(3))
	ctx, cancel := context.WithTimeout(bg, 20*time.Second)
	defer cancel()
	for round := range 6 {
		const n = 8
		var ran, cancelled [n]atomic.Int64
		var in [n]atomic.Int32
		works, all := [n]*cmwq.Work{}, [n]*cmwq.Series{}
		for i := range n {
			works[i] = cmwq.NewWork(func(ctx *cmwq.Context) error {
				if in[i].Add(1) != 1 {
					t.Error("two at once")
				}
				ran[i].Add(1)
				if i%2 == 0 {
					_ = ctx.Sleep(100 * time.Microsecond)
				}
				in[i].Add(-1)
				return nil
			})
			s, err := q.Every(cmwq.Interval(time.Duration(20+10*i)*time.Microsecond), works[i], cmwq.CatchUp(cmwq.CatchUpPolicy(i%3)))
			require.NoError(t, err)
			all[i] = s
		}
		for range short.Rounds(300) {
			for i, w := range works {
				if was, err := w.Disable(ctx); err != nil {
					t.Error(err)
				} else if was {
					cancelled[i].Add(1)
				}
				_, _ = w.Enable()
				if w.Cancel() {
					cancelled[i].Add(1)
				}
			}
		}
		for i, s := range all {
			require.True(t, s.Stop())
			require.NoError(t, works[i].Flush(ctx))
			st := s.Stats()
			require.Equal(t, st.Runs, ran[i].Load()+cancelled[i].Load(), "round %d, series %d: %+v", round, i, st)
		}
	}
}
