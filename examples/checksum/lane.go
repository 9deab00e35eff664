package main

import (
	"hash"
	"io"
	"os"

	"github.com/cmwq/cmwq"
)

const (
	bufferSize  = 64 << 10 // what is read and not hashed yet should fit the caches of the CPUs
	laneBuffers = 2        // one is filled while the other is hashed
)

// An openFunc opens a file for reading.
type openFunc func(path string) (io.ReadCloser, error)

// opener opens files, and stdin as "-".
func opener(stdin io.Reader) openFunc {
	return func(path string) (io.ReadCloser, error) {
		if path == "-" {
			return io.NopCloser(stdin), nil
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, err // not a nil *os.File in an interface
		}
		return f, nil
	}
}

// A buffer holds pieces of consecutive files of one batch.
type buffer struct {
	data   []byte
	n      int
	pieces []piece
	last   bool // the batch ends here
}

type piece struct {
	file *file
	n    int
	end  bool // the file ends here
}

// A lane takes one batch of files at a time from disk to sums. One side fills
// its buffers, the other hashes them in the order they were filled; the sides
// may be on different workers and meet only in the two channels. A lane owns
// all the memory its batch can take, whatever the file sizes.
type lane struct {
	free, full chan *buffer
	open       openFunc
	stopped    func() bool
	hash       hash.Hash

	batch []file        // the reading side's own
	at    int           // batch[at] is next
	file  io.ReadCloser // batch[at], if it has been opened
	bytes int64         // the hashing side's own: what the last drain hashed

	work *cmwq.Work // hashes what is full, where queues schedule the lane
}

func newLane(h hash.Hash, open openFunc, stopped func() bool) *lane {
	l := &lane{
		free:    make(chan *buffer, laneBuffers),
		full:    make(chan *buffer, laneBuffers),
		open:    open,
		stopped: stopped,
		hash:    h,
	}
	for range laneBuffers {
		l.free <- new(buffer)
	}
	return l
}

// start gives the lane its next batch.
func (l *lane) start(batch []file) { l.batch, l.at = batch, 0 }

// fill reads on from where it stopped, until b is full or the batch is over,
// which it is early once the run has been stopped.
func (l *lane) fill(b *buffer) {
	if b.data == nil {
		b.data = make([]byte, bufferSize)
	}
	b.n, b.pieces, b.last = 0, b.pieces[:0], false
	for l.at < len(l.batch) {
		if l.stopped() {
			l.abandon()
			break
		}
		if f := &l.batch[l.at]; f.err == nil && !l.read(f, b) {
			return
		}
		l.at++
	}
	b.last = true
}

// read appends to b what is left of f and reports whether it has come to its end.
func (l *lane) read(f *file, b *buffer) (end bool) {
	if l.file == nil {
		if l.file, f.err = l.open(f.path); f.err != nil {
			return true
		}
	}
	start := b.n
	for !end && b.n < len(b.data) && !l.stopped() {
		n, err := l.file.Read(b.data[b.n:])
		b.n += n
		f.bytes += int64(n)
		if err != nil && err != io.EOF {
			f.err = err
		}
		// A short read that ends where the walk saw the file end needs no
		// second call to be told so.
		end = err != nil || f.bytes == f.size && b.n < len(b.data)
	}
	if end {
		l.abandon()
	}
	b.pieces = append(b.pieces, piece{f, b.n - start, end})
	return end
}

// abandon closes the file being read.
func (l *lane) abandon() {
	if l.file != nil {
		l.file.Close()
		l.file = nil
	}
}

// drain hashes the buffers that are full now and reports whether the batch
// ended with them. It must not run twice at once.
func (l *lane) drain() (last bool) {
	l.bytes = 0
	for range len(l.full) {
		b := <-l.full
		l.consume(b)
		last = b.last
		l.free <- b
	}
	if last {
		l.free <- <-l.free // the next batch starts with a buffer in use already
	}
	return last
}

func (l *lane) consume(b *buffer) {
	data := b.data[:b.n]
	l.bytes += int64(b.n)
	for _, p := range b.pieces {
		l.hash.Write(data[:p.n])
		data = data[p.n:]
		if !p.end {
			continue
		}
		if p.file.err == nil {
			p.file.sum = l.hash.Sum(nil)
		}
		l.hash.Reset()
	}
	if b.last {
		l.hash.Reset() // a stopped batch may end inside a file
	}
}
