//go:build !race

package cmwq_test

const raceEnabled = false
