package main

import (
	"context"
	"hash"
	"sync"
	"sync/atomic"
)

// A tally counts what has been found and done so far, for whoever watches.
type tally struct {
	found, foundBytes atomic.Int64
	done, doneBytes   atomic.Int64
	listed            atomic.Bool // found is final
}

// A job is everything about hashing many files but when which part runs.
type job struct {
	ctx     context.Context // done when the run is interrupted
	newHash func() hash.Hash
	open    openFunc
	tally   tally

	mu       sync.Mutex
	idle     []*lane // the last used first: its buffers are in the cache
	lanes    int     // that exist
	finished [][]file
}

func newJob(ctx context.Context, newHash func() hash.Hash, open openFunc) *job {
	return &job{ctx: ctx, newHash: newHash, open: open}
}

func (j *job) stopped() bool { return j.ctx.Err() != nil }

// find counts a batch that a source has listed.
func (j *job) find(batch []file) {
	var bytes int64
	for i := range batch {
		bytes += batch[i].size
	}
	j.tally.found.Add(int64(len(batch)))
	j.tally.foundBytes.Add(bytes)
}

// lane returns a lane that is nobody else's. There are as many as batches have
// ever been between lane and finish at once.
func (j *job) lane() *lane {
	j.mu.Lock()
	defer j.mu.Unlock()
	if n := len(j.idle); n > 0 {
		l := j.idle[n-1]
		j.idle = j.idle[:n-1]
		return l
	}
	j.lanes++
	return newLane(j.newHash(), j.open, j.stopped)
}

// drain hashes what the lane has read, and reports whether its batch is over:
// the lane is somebody else's then.
func (j *job) drain(l *lane) (over bool) {
	over = l.drain()
	j.tally.doneBytes.Add(l.bytes)
	if over {
		j.finish(l)
	}
	return over
}

func (j *job) finish(l *lane) {
	var done int64
	for i := range l.batch {
		if l.batch[i].done() {
			done++
		}
	}
	j.tally.done.Add(done)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.finished = append(j.finished, l.batch)
	l.batch = nil
	j.idle = append(j.idle, l)
}

// results returns the files that are done, in no order.
func (j *job) results() []*file {
	j.mu.Lock()
	defer j.mu.Unlock()
	files := make([]*file, 0, j.tally.done.Load())
	for _, batch := range j.finished {
		for i := range batch {
			if f := &batch[i]; f.done() {
				files = append(files, f)
			}
		}
	}
	return files
}
