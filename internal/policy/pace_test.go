package policy_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cmwq/cmwq/internal/policy"
)

func TestNextToken(t *testing.T) {
	for _, c := range []struct {
		tokens, perSecond float64
		want              time.Duration
		ok                bool
	}{
		{1, 10, 0, true}, {5, 0, 0, true}, {1 - 1e-9, 10, 0, true},
		{0, 10, 100 * time.Millisecond, true}, {0.5, 10, 50 * time.Millisecond, true}, {-1, 10, 200 * time.Millisecond, true},
		{0, 0, 0, false}, {0.3, 1e-12, 0, false}, {0, math.NaN(), 0, false},
	} {
		d, ok := policy.NextToken(c.tokens, c.perSecond)
		require.Equal(t, c.ok, ok, "%v", c)
		require.Equal(t, c.want, d, "%v", c)
	}
}

// TestAPacedShareStartsByTokens lets items arrive, tokens come and workers end at random:
// one item is leased for each token, in order, whatever slots are free, and items that
// have no token hold no slot.
func TestAPacedShareStartsByTokens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := policy.NewPool(policy.Unbound, 1, 1)
		limit := rapid.IntRange(1, 4).Draw(t, "limit")
		s := policy.NewShare(limit, false)
		s.Pace(true)
		var busy []*policy.Worker
		tokens, leases, arrived := 0, 0, 0
		settle := func() {
			p.Activate(s)
			for p.Waiting() > 0 {
				require.Equal(t, 1, s.Waiting(), "one at a time")
				if tokens == 0 {
					require.Equal(t, 1, p.Hush(s))
					break
				}
				o, ok := p.Offer(s)
				if !ok {
					w := &policy.Worker{ID: leases + 1000}
					p.WorkersWanted()
					p.Created(w, 0)
					continue
				}
				require.Equal(t, 1, o.Active)
				require.Zero(t, o.Riders)
				p.Lease(o.Worker, s, 1, 0)
				busy = append(busy, o.Worker)
				tokens--
				leases++
				p.Activate(s)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"arrive": func(t *rapid.T) {
				n := rapid.IntRange(1, 3).Draw(t, "n")
				arrived += n
				p.Arrive(s, n)
				settle()
			},
			"token": func(*rapid.T) {
				tokens++
				s.Open()
				settle()
			},
			"done": func(t *rapid.T) {
				if len(busy) == 0 {
					t.Skip("nobody runs")
				}
				w := busy[0]
				busy = busy[1:]
				p.Done(w, policy.Report{Ran: 1, Busy: time.Microsecond})
				settle()
			},
			"": func(t *rapid.T) {
				require.NoError(t, p.Verify(s))
				require.Equal(t, len(busy), s.Active(), "who waits for a token holds no slot")
				require.LessOrEqual(t, s.Active(), limit)
				require.Equal(t, arrived-leases, s.Inactive())
				if s.Inactive() > 0 && s.Active() < limit {
					require.Zero(t, tokens, "nobody waits beside a token and a slot")
				}
			},
		})
	})
}
