package policy

import "time"

// What a BH pool may run in a row; the kernel's values.
const (
	BHRounds = 10                   // leases
	BHTime   = 2 * time.Millisecond // and no more after so long
)

// Budget is what is left of a BH runner's time on its goroutine. When it is spent
// the runner goes on elsewhere, behind whoever waits for a CPU: a list that is
// filled as fast as it is read starves nobody.
type Budget struct {
	rounds int
	until  time.Duration
}

// NewBudget is the budget of a runner that starts now.
func NewBudget(now time.Duration) Budget { return Budget{BHRounds, now + BHTime} }

// Spend counts a lease that ended now, and says whether another may follow.
func (b *Budget) Spend(now time.Duration) bool {
	b.rounds--
	return b.rounds > 0 && now < b.until
}
