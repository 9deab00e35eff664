package main

import (
	"runtime"
	"sync/atomic"
	"time"
)

const (
	readersPerCPU = 4                // batches being read at once, to begin with
	maxReaders    = 128              // at most
	slowRead      = time.Millisecond // for a piece of a file
	slowShare     = 4                // one slow read in so many is many
)

// A pace finds how many batches to read at once. Reads that take long wait for
// the disk, and more of them can wait together. While all that is read is in
// memory, more readers would only fill buffers faster than they can be hashed,
// and the buffers in use would no longer fit the cache.
type pace struct {
	readers atomic.Int64
	slow    atomic.Int64 // grows with slow reads, shrinks with others
}

func newPace() *pace {
	p := new(pace)
	p.readers.Store(int64(min(readersPerCPU*runtime.GOMAXPROCS(0), maxReaders)))
	return p
}

// limit is how many batches to read at once.
func (p *pace) limit() int { return int(p.readers.Load()) }

// took notes how long it took to read some pieces of files. It returns the limit
// and whether that is more than it was.
func (p *pace) took(d time.Duration, pieces int) (limit int, more bool) {
	n := p.readers.Load()
	if d < slowRead*time.Duration(max(pieces, 1)) {
		if p.slow.Load() > 0 {
			p.slow.Add(-1)
		}
		return int(n), false
	}
	if p.slow.Add(slowShare) <= slowShare || n == maxReaders {
		return int(n), false
	}
	next := min(2*n, maxReaders)
	if !p.readers.CompareAndSwap(n, next) {
		return int(next), false
	}
	p.slow.Store(0)
	return int(next), true
}
