package main

import (
	"iter"
	"slices"
)

// A file is one thing to hash, and what became of it.
type file struct {
	path  string
	size  int64  // as the walk saw it, 0 if unknown
	bytes int64  // as they were read
	sum   []byte // nil until hashed
	err   error  // why there is no sum
	want  []byte // the sum a list expects
	index int    // the place in that list
}

// done reports whether nothing is left to do for f.
func (f *file) done() bool { return f.sum != nil || f.err != nil }

// A source lists files. It runs everything that waits for the disk inside
// block, so that whoever schedules it can let others work meanwhile, and gives
// up when block returns false.
type source func(block func(func()) bool) iter.Seq[file]

// batchFiles is how many files make one read item at most.
const batchFiles = 32

// batches groups files so that a batch fits one buffer, or is one larger file:
// the cost of an item is then paid once for many small files.
func batches(files iter.Seq[file]) iter.Seq[[]file] {
	return func(yield func([]file) bool) {
		var batch []file
		var bytes int64
		for f := range files {
			if len(batch) == batchFiles || len(batch) > 0 && bytes+f.size >= bufferSize {
				if !yield(slices.Clone(batch)) {
					return
				}
				batch, bytes = batch[:0], 0
			}
			batch = append(batch, f)
			bytes += f.size
		}
		if len(batch) > 0 {
			yield(batch)
		}
	}
}
