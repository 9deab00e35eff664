package main

import "time"

// work is what item i of a batch does.
type work func(i int, sleep func(time.Duration))

// load is what the items do, and how many there are.
type load struct {
	name  string
	items int
	burn  time.Duration // CPU an item takes, on average
	do    work
}

const (
	empty   = "empty"
	unequal = "each third burns 20 µs"
	equal   = "each burns 20 µs"
	asleep  = "each third sleeps 1 ms"
)

// loads are the published one, and three in which items take time. Each third item of
// a batch falls to the same one of three fixed workers.
func loads(items int) []load {
	third := func(f work) work {
		return func(i int, sleep func(time.Duration)) {
			if i%workers == 0 {
				f(i, sleep)
			}
		}
	}
	burn := func(int, func(time.Duration)) { spin(20 * time.Microsecond) }
	return []load{
		{empty, items, 0, func(int, func(time.Duration)) {}},
		{equal, max(10*batchSize, items/2000), 20 * time.Microsecond, burn},
		{unequal, max(10*batchSize, items/800), 20 * time.Microsecond * 34 / batchSize, third(burn)},
		{asleep, max(2*batchSize, items/20000), 0, third(func(_ int, sleep func(time.Duration)) { sleep(time.Millisecond) })},
	}
}

// spin holds a CPU for d.
func spin(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
	}
}
