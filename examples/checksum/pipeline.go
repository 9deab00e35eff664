package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq"
)

const (
	// ahead is how many batches may be listed and not hashed yet.
	ahead = maxReaders + 32

	// An interrupted run waits so long for reads that are under way, and so
	// long for what the queues have to say. With what a forced Stop takes it
	// is over within a second.
	grace     = 300 * time.Millisecond
	statsWait = 100 * time.Millisecond
)

// A pipeline schedules a job on two queues. A read item takes a batch and fills
// the buffers of a lane, and each full buffer makes the lane's hash item
// pending. A work item never runs twice at once, so the buffers of a lane are
// hashed in order though any worker may do it, while other lanes go on beside.
type pipeline struct {
	*job
	sys        *cmwq.System
	read, hash *cmwq.Queue
	slots      chan struct{} // one for each batch that may be under way
	pace       *pace
	failure    atomic.Pointer[error] // of an item: none should
}

// A queueLine is what one queue has done.
type queueLine struct {
	name  string
	stats cmwq.Stats
}

// run hashes all files of list. It returns early, with some of them not done,
// when the job is interrupted.
func (j *job) run(list source) (lines []queueLine, err error) {
	p := &pipeline{job: j, slots: make(chan struct{}, ahead), pace: newPace()}
	for range ahead {
		p.slots <- struct{}{}
	}
	ctx, cancel := later(j.ctx, grace)
	defer cancel()
	p.sys, err = cmwq.New(cmwq.WithOnFailure(p.failed), cmwq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		return nil, err
	}
	defer func() {
		err = cmp.Or(err, p.sys.Stop(ctx))
		if failure := p.failure.Load(); err == nil && failure != nil {
			err = *failure
		}
		if j.stopped() {
			err = nil // what is not done tells
		}
	}()
	if p.read, err = p.sys.NewQueue("read", cmwq.MaxActive(p.pace.limit())); err != nil {
		return nil, err
	}
	if p.hash, err = p.sys.NewQueue("hash"); err != nil {
		return nil, err
	}
	err = p.all(ctx, list)
	return p.lines(), err
}

// failed is told by the system when an item panics or returns an error.
func (p *pipeline) failed(queue string, err error) {
	err = fmt.Errorf("%s: %w", queue, err)
	p.failure.CompareAndSwap(nil, &err)
}

// lines asks the queues what they have done, even if a read hangs for good.
func (p *pipeline) lines() (lines []queueLine) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.ctx), statsWait)
	defer cancel()
	for _, q := range []*cmwq.Queue{p.read, p.hash} {
		if stats, err := q.Stats(ctx); err == nil {
			lines = append(lines, queueLine{q.Name(), stats})
		}
	}
	return lines
}

// all queues everything and waits for it. The listing queues reads, the reads
// queue hashes, hashes queue nothing: waited for in this order, each is over
// for good when the wait is.
func (p *pipeline) all(ctx context.Context, list source) error {
	listing := cmwq.Submit(p.read, func(ctx *cmwq.Context) (struct{}, error) {
		return struct{}{}, p.list(ctx, list)
	})
	if _, err := listing.Wait(ctx); err != nil {
		return err
	}
	if err := p.read.Drain(ctx); err != nil {
		return err
	}
	return p.hash.Drain(ctx)
}

// list is the item that feeds the read queue. It waits whenever it is too far
// ahead of the hashing, which is what bounds the memory.
func (p *pipeline) list(ctx *cmwq.Context, list source) error {
	whole := true
	block := func(f func()) bool {
		ctx.Block(f)
		whole = !p.stopped()
		return whole
	}
	for batch := range batches(list(block)) {
		if _, err := cmwq.Await(ctx, p.slots); err != nil {
			return err
		}
		p.find(batch)
		err := p.read.Go(func(ctx *cmwq.Context) error { return p.fill(ctx, batch) })
		if err != nil {
			return fmt.Errorf("read queue: %w", err)
		}
	}
	p.tally.listed.Store(whole)
	return nil
}

// fill is a read item: it reads a batch, a buffer at a time.
func (p *pipeline) fill(ctx *cmwq.Context, batch []file) error {
	l := p.lane()
	if l.work == nil {
		l.work = cmwq.NewWork(func(*cmwq.Context) error { return p.sum(l) })
	}
	l.start(batch)
	for last := false; !last; {
		b, err := cmwq.Await(ctx, l.free)
		if err != nil {
			l.abandon()
			return err
		}
		start := time.Now()
		ctx.Block(func() { l.fill(b) })
		if n, more := p.pace.took(time.Since(start), len(b.pieces)); more {
			_ = p.read.SetMaxActive(n) // else it stays as it was
		}
		last = b.last // b is the other side's from here on
		l.full <- b
		// If it is pending already it will come to this buffer, too.
		if err := p.hash.Queue(l.work); err != nil && !errors.Is(err, cmwq.ErrPending) {
			return fmt.Errorf("hash queue: %w", err)
		}
	}
	return nil
}

// sum is a hash item: it hashes the buffers that are full.
func (p *pipeline) sum(l *lane) error {
	if p.drain(l) {
		p.slots <- struct{}{}
	}
	return nil
}

// later returns a context that is done some time after ctx is.
func later(ctx context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	after, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(by, cancel) })
	return after, func() { stop(); cancel() }
}
