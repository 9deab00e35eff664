package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq"
)

const (
	maxReaders = 128             // batches being read at once
	ahead      = maxReaders + 32 // batches listed and not hashed yet

	readersPerCPU = 4 // to begin with
	slowRead      = 5 * time.Millisecond
	slowShare     = 4 // one slow read in so many is many
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
	readers    atomic.Int64  // MaxActive of read
	slow       atomic.Int64  // how slow reads have been lately
}

// A queueLine is what one queue has done.
type queueLine struct {
	name  string
	stats cmwq.Stats
}

// run hashes all files of list. It returns early, with some of them not done,
// when the job is interrupted.
func (j *job) run(list source) (lines []queueLine, err error) {
	p := &pipeline{job: j, slots: make(chan struct{}, ahead)}
	for range ahead {
		p.slots <- struct{}{}
	}
	ctx, cancel := later(j.ctx, grace)
	defer cancel()
	if p.sys, err = cmwq.New(); err != nil {
		return nil, err
	}
	defer p.sys.Stop(ctx)
	start := min(readersPerCPU*runtime.GOMAXPROCS(0), maxReaders)
	p.readers.Store(int64(start))
	if p.read, err = p.sys.NewQueue("read", cmwq.MaxActive(start)); err != nil {
		return nil, err
	}
	if p.hash, err = p.sys.NewQueue("hash"); err != nil {
		return nil, err
	}
	if err = p.all(ctx, list); j.stopped() {
		err = nil // what is not done tells
	}
	for _, q := range []*cmwq.Queue{p.read, p.hash} {
		stats, err := q.Stats(ctx)
		if err != nil {
			return lines, err
		}
		lines = append(lines, queueLine{q.Name(), stats})
	}
	return lines, err
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
	block := func(f func()) bool {
		ctx.Block(f)
		return !p.stopped()
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
	p.tally.listed.Store(!p.stopped())
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
		p.paced(time.Since(start))
		last = b.last // b is the other side's from here on
		l.full <- b
		// If it is pending already it will come to this buffer, too.
		if err := p.hash.Queue(l.work); err != nil && !errors.Is(err, cmwq.ErrPending) {
			return fmt.Errorf("hash queue: %w", err)
		}
	}
	return nil
}

// paced lets more be read at once when many reads take long: they wait for the
// disk then, and more can do so together. While what is read is in memory, more
// readers would only fill buffers faster than those can be hashed.
func (p *pipeline) paced(took time.Duration) {
	if took < slowRead {
		if p.slow.Load() > 0 {
			p.slow.Add(-1)
		}
		return
	}
	n := p.readers.Load()
	if p.slow.Add(slowShare) < 2*slowShare || n == maxReaders {
		return
	}
	if more := min(2*n, maxReaders); p.readers.CompareAndSwap(n, more) {
		p.slow.Store(0)
		p.read.SetMaxActive(int(more))
	}
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
