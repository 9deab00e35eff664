package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/cmwq/cmwq"
)

const (
	blockSize = 32 << 10 // as published
	inFlight  = 64       // of each issuer
)

// block is something to hash: its issuer writes it just before.
type block struct {
	data [blockSize]byte
	text int // which of the texts it holds
	work *cmwq.Work
	in   map[string]bool // names of the pools that it was hashed in
}

// texts are what blocks hold, and the hashes that they must have.
type texts struct {
	data [4][]byte
	sum  [4][sha256.Size]byte
}

func newTexts() *texts {
	t := &texts{}
	for i := range t.data {
		t.data[i] = bytes.Repeat([]byte{byte(i + 1), 'c', 'm', 'w', 'q', 0, byte(i), 255}, blockSize/8)
		t.sum[i] = sha256.Sum256(t.data[i])
	}
	return t
}

// issuer writes blocks and has them hashed, so many at a time, as a program does that reads
// an encrypted disk.
type issuer struct {
	texts  *texts
	all    []*block
	free   chan *block
	hashed atomic.Int64
	wrong  atomic.Int64
}

func newIssuer(t *texts) *issuer {
	is := &issuer{texts: t, free: make(chan *block, inFlight)}
	for range inFlight {
		b := &block{in: map[string]bool{}}
		is.all = append(is.all, b)
		b.work = cmwq.NewWork(func(ctx *cmwq.Context) error {
			pool, _, _ := strings.Cut(ctx.Worker(), ":")
			b.in[pool] = true
			if sha256.Sum256(b.data[:]) != is.texts.sum[b.text] {
				is.wrong.Add(1)
			}
			is.hashed.Add(1)
			is.free <- b
			return nil
		})
		is.free <- b
	}
	return is
}

// issue queues until ctx ends, one block at least, and waits for what it has queued.
func (is *issuer) issue(ctx context.Context, q *cmwq.Queue) (queued int64, err error) {
	for b := <-is.free; ; {
		b.text = (b.text + 1) % len(is.texts.data)
		copy(b.data[:], is.texts.data[b.text])
		for err = q.Queue(b.work); errors.Is(err, cmwq.ErrPending); err = q.Queue(b.work) {
			runtime.Gosched() // it has ended but for its last step
		}
		if err != nil {
			return queued, err
		}
		queued++
		select {
		case <-ctx.Done():
			return queued, q.Flush(context.WithoutCancel(ctx))
		case b = <-is.free:
		}
	}
}
