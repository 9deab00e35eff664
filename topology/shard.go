package topology

// shardCores is the number of cores a cache shard should have.
const shardCores = 8

// shardSizes divides a cache of n cores into shards and returns how many cores
// each gets. There are n/shardCores of them, rounded to the nearest and at
// least one, and their sizes differ by at most one core, the larger ones
// first. Rounding makes shards of up to eleven cores: a cache of eleven stays
// whole, one of twelve becomes six and six.
func shardSizes(n int) []int {
	k := max(1, (n+shardCores/2)/shardCores)
	sizes := make([]int, k)
	for i := range sizes {
		sizes[i] = n / k
		if i < n%k {
			sizes[i]++
		}
	}
	return sizes
}

// shardKeys returns for each unit the lowest CPU of its shard. Cores are dealt
// to the shards of their cache in the order of their lowest CPUs, and the
// other threads of a core follow the lowest.
func shardKeys(units []unit) []int {
	cores := make(map[int]int) // cache → its number of cores
	for _, u := range units {
		if u.cpu == u.core {
			cores[u.llc]++
		}
	}
	type dealer struct {
		sizes []int // of the shard being filled and those after it
		room  int   // cores the shard being filled still takes
		key   int   // its lowest CPU
	}
	dealers := make(map[int]*dealer, len(cores))
	for llc, n := range cores {
		dealers[llc] = &dealer{sizes: shardSizes(n)}
	}

	keys := make([]int, len(units))
	ofCore := make(map[int]int, len(units)) // a core's lowest CPU → its shard
	for i, u := range units {
		if u.cpu == u.core {
			d := dealers[u.llc]
			if d.room == 0 {
				d.room, d.sizes, d.key = d.sizes[0], d.sizes[1:], u.cpu
			}
			d.room--
			ofCore[u.core] = d.key
		}
		keys[i] = ofCore[u.core]
	}
	return keys
}
