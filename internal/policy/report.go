package policy

const (
	// HogReport is the number of times that a function must hog before it is
	// reported; the kernel's value.
	HogReport = 4

	hogTable = 128 // functions that are counted; further ones are not
)

// HogReports counts how often each function was declared a CPU hog, and says when
// that is worth a line in the log: from the threshold on, each time further apart.
type HogReports struct {
	threshold int
	counts    map[uintptr]int
}

// NewHogReports gives an empty table. A threshold of 0 or less reports nothing.
func NewHogReports(threshold int) *HogReports {
	return &HogReports{threshold: threshold, counts: make(map[uintptr]int)}
}

// Violation counts one of a function, and says whether to report it: when the count
// is the threshold or above, and one more than what it is above is a power of two.
//
// Follows the kernel's wq_cpu_intensive_report: 4, 5, 7, 11, 19, 35, 67...
func (h *HogReports) Violation(function uintptr) (count int, report bool) {
	if h.threshold <= 0 {
		return 0, false
	}
	n, known := h.counts[function]
	if !known && len(h.counts) == hogTable {
		return 0, false
	}
	n++
	h.counts[function] = n
	over := n + 1 - h.threshold
	return n, over > 0 && over&(over-1) == 0
}
