package policy

import (
	"math"
	"time"
)

// What an item's stamp says in a queue whose times are measured. Not every item of a
// flood is measured: two looks at the clock take longer than the shortest items. Each
// item is measured with a known probability, 2^-n, and counts 2^n then; whoever ran it
// last decides about its next time. An item that is new, or that has not run since it was
// stamped, is decided about when it is queued.
const (
	// SkipTime: its next time is not measured.
	SkipTime int64 = -1

	weightBits = 4
	// RarestTime is the largest n: one in 512.
	RarestTime = 9
)

// TakeTime is the stamp of an item whose next time is to be measured, with n.
func TakeTime(n uint) int64 { return SkipTime - 1 - int64(n) }

// Taken gives the n of such a stamp.
func Taken(stamp int64) (n uint, ok bool) {
	if stamp >= SkipTime {
		return 0, false
	}
	return uint(SkipTime - 1 - stamp), true
}

// Skips is the stamp of items about which nothing is to be decided when they come: those
// that are skipped, unless all are measured now.
func Skips(n uint) int64 {
	if n > 0 {
		return SkipTime
	}
	return math.MinInt64 // no item's
}

// Stamp is when an item is queued, to 16 ns, with n.
func Stamp(now int64, n uint) int64 { return now&^(1<<weightBits-1) | int64(n) }

// Stamped gives back both.
func Stamped(stamp int64) (at time.Duration, n uint) {
	return time.Duration(stamp &^ (1<<weightBits - 1)), uint(stamp & (1<<weightBits - 1))
}

// measuredTime is what an item takes that may be measured each time: what that costs, 100
// to 200 ns on all sides together, is then 4 to 8 % of it.
const measuredTime = 2500 * time.Nanosecond

// Rarity is how rarely, 2^-n, items are measured of which a lease had so many, and took
// so long. A lease of one has its stamps anyway. Of shorter items a smaller part of their
// time is spent on it, 1 % of the shortest: there are more of them, and the rest of what a
// monitor costs is a larger part of theirs.
func Rarity(ran int, took time.Duration) (n uint) {
	if ran <= 1 {
		return 0
	}
	for per := max(1, took/time.Duration(ran)); n < RarestTime && per < measuredTime; n++ {
		per += (per + 1) * 2 / 3
	}
	return n
}

// NextRarity is what follows on was, after a lease. Items that become longer are measured
// more often within a few leases, not at once: one lease in a flood is long when its thread
// had no CPU, and to measure all that waits then takes as long as to run it. A lease of one
// between those of many may be as short as they are.
func NextRarity(was uint, ran int, took time.Duration) uint {
	n := Rarity(ran, took)
	switch {
	case ran > 1 && n+steepest < was:
		return was - steepest
	case ran == 1 && was > 0 && took < time.Microsecond:
		return was - 1
	}
	return n
}

// steepest is by how much the rarity may fall at once: four times as many are measured.
const steepest = 2
