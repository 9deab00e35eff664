package policy

// FixedMax is how many fixed workers a queue may have, and FixedDepth how many
// items may wait for each.
const (
	FixedMax   = 256
	FixedDepth = 1 << 16
)

// SharedActive is what is left of max_active for a queue's other workers when n of
// its workers are fixed: each of them has one slot for itself. It is 1 at least, so
// that what overflows runs.
func SharedActive(limit, n int) int { return max(1, limit-n) }
