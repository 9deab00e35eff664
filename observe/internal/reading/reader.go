package reading

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cmwq/cmwq"
)

// Source is what is read: a *cmwq.System.
type Source interface {
	Snapshot(ctx context.Context) (*cmwq.Snapshot, error)
}

// Reader reads a system, for any number of readers at a time.
type Reader struct {
	source Source
	name   func(q *cmwq.QueueSnapshot) string
	limit  time.Duration

	mu     sync.Mutex // of what follows; never held while a snapshot is taken
	ledger ledger
	reads  uint64 // that the ledger has taken
	errors int64
}

// DefaultLimit is how long a snapshot may take, if nothing else was asked for.
const DefaultLimit = 5 * time.Second

// New gives a reader. name tells by what name a queue's numbers are told, "" to leave it
// out; nil is SumChildren. A snapshot may take as long as limit says.
func New(source Source, name func(q *cmwq.QueueSnapshot) string, limit time.Duration) *Reader {
	if name == nil {
		name = SumChildren
	}
	if limit <= 0 {
		limit = DefaultLimit
	}
	return &Reader{source: source, name: name, limit: limit}
}

// Read takes a snapshot. The Reading is the caller's to read, and shared with others. On
// an error it has what is known nevertheless: the number of errors. A system that was
// stopped is no error: it is not up.
func (r *Reader) Read(ctx context.Context) (*Reading, error) {
	ctx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	r.mu.Lock()
	reads := r.reads
	r.mu.Unlock()
	began := time.Now()
	snap, err := r.source.Snapshot(ctx)
	took := time.Since(began)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		if errors.Is(err, cmwq.ErrStopped) {
			return &Reading{System: System{Errors: r.errors}}, nil
		}
		r.errors++
		return &Reading{System: System{Errors: r.errors}}, err
	}
	alone := r.reads == reads
	r.reads++
	reading := r.ledger.take(snap, r.name, alone)
	reading.System = systemOf(snap, took)
	reading.System.Errors = r.errors
	return reading, nil
}
