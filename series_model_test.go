package cmwq_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/internal/short"
)

// modelSeries says when the runs of a periodic item begin, in µs: a simulation, event
// by event, of one item of which the n-th run takes takes[n].
func modelSeries(policy cmwq.CatchUpPolicy, every, horizon int, takes []int) (starts []int, st cmwq.SeriesStats) {
	running, pending, end := false, false, 0
	start := func(at int) {
		running, end = true, at+takes[len(starts)]
		starts = append(starts, at)
	}
	for instant := every; ; {
		if running && end < instant {
			at := end
			if at > horizon {
				return starts, st
			}
			if st.Owed > 0 && !pending {
				st.Owed--
				st.Runs++
				pending = true
			}
			if running = false; pending {
				pending = false
				start(at)
			}
			continue
		}
		at := instant
		if instant += every; at > horizon {
			return starts, st
		}
		switch {
		case policy == cmwq.All && pending:
			st.Owed++
		case pending, running && policy == cmwq.Skip:
			st.Missed++
		case running:
			pending = true
			st.Runs++
		default:
			st.Runs++
			start(at)
		}
	}
}

// TestEveryAgreesWithASlowModel runs items of random length, in virtual time: they begin
// when a simulation says, and every instant is accounted for.
func TestEveryAgreesWithASlowModel(t *testing.T) {
	for _, i := range short.Some(60) {
		seed := uint64(i)
		policy := cmwq.CatchUpPolicy(seed % 3)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			every := 1000 * (5 + r.IntN(10))
			takes := make([]int, 1000)
			for i := range takes {
				takes[i] = 1000*r.IntN(1+r.IntN(40)) + 7 // never ends at an instant
			}
			const horizon = 1000 * 1000
			want, wantStats := modelSeries(policy, every, horizon, takes)
			bubble(t, 1, func(t *testing.T, sys *cmwq.System) {
				q := queue(t, sys, "q")
				begin := time.Now()
				var ran record
				n := 0
				w := cmwq.NewWork(func(ctx *cmwq.Context) error {
					ran.add(int(time.Since(begin) / time.Microsecond))
					n++
					return ctx.Sleep(time.Duration(takes[n-1]) * time.Microsecond)
				})
				s, err := q.Every(cmwq.Interval(time.Duration(every)*time.Microsecond), w, cmwq.CatchUp(policy))
				require.NoError(t, err)
				time.Sleep(horizon * time.Microsecond)
				synctest.Wait()
				st := s.Stats()
				require.Equal(t, want, ran.get())
				st.Next = time.Time{}
				require.Equal(t, wantStats, st)
				require.EqualValues(t, horizon/every, st.Runs+st.Missed+st.Owed)
				stopWait(t, s)
			})
		})
	}
}
