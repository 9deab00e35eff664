package main

import cmap "github.com/orcaman/concurrent-map"

// An actor system finds its actors in 1024 maps, and by default each of them is 32 maps with a
// lock of their own: 65 536 objects, which take 3 ms to make and are looked at by every
// collection of garbage. That is nothing for a service, but two percent of a program that is
// over in 140 ms. Here 1024 locks are plenty.
func init() { cmap.SHARD_COUNT = 1 }
