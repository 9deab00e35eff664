package policy

// ClampMaxActive gives the max_active in force for a requested one: 0 is the
// default of 1024, everything else is brought into 1..2048. clamped says that
// the request was out of range and deserves a warning.
func ClampMaxActive(n int) (limit int, clamped bool) {
	switch {
	case n == 0:
		return MaxActiveDefault, false
	case n < 1:
		return 1, true
	case n > MaxActiveLimit:
		return MaxActiveLimit, true
	}
	return n, false
}

// DrainWarns says whether the try-th pass of a drain that finds work left
// deserves a warning: the 10th, then each hundredth up to the 1000th.
func DrainWarns(try int) bool {
	return try == 10 || try <= 1000 && try%100 == 0 && try > 0
}
