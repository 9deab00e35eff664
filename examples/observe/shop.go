package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/supervisor"
)

// shop is a program with queues of several kinds. Each shows something else.
type shop struct {
	photos  *cmwq.Queue // well behaved: sleeps, and says so
	mail    *cmwq.Queue // fails: tried again, at last a dead letter
	reports *cmwq.Queue // hogs: has a CPU for long, and is not declared so
	quotes  *cmwq.Queue // silent: blocks, and does not say so
	index   *cmwq.Queue // computes for long, as it has declared
	audit   *cmwq.Queue // one at a time: stands still when one does not end
	stock   *cmwq.Queue // per-CPU, now and then

	orders  atomic.Int64
	stalled atomic.Pointer[chan struct{}] // closed to let the audit go on
}

// open makes the queues.
func open(sys *cmwq.System) (*shop, error) {
	s := &shop{}
	for _, q := range []struct {
		at   **cmwq.Queue
		name string
		opts []cmwq.QueueOption
	}{
		{&s.photos, "photos", []cmwq.QueueOption{cmwq.MaxActive(64)}},
		{&s.mail, "mail", []cmwq.QueueOption{cmwq.Supervise(supervisor.
			Retry(2, supervisor.Exponential(50*time.Millisecond, time.Second)).Then(supervisor.DeadLetter(1000)))}},
		{&s.reports, "reports", nil},
		{&s.quotes, "quotes", nil},
		{&s.index, "index", []cmwq.QueueOption{cmwq.CPUIntensive(), cmwq.MaxActive(1)}},
		{&s.audit, "audit", []cmwq.QueueOption{cmwq.Ordered(), cmwq.Bounded(500, cmwq.DropOldest)}},
		{&s.stock, "stock", []cmwq.QueueOption{cmwq.PerCPU()}},
	} {
		made, err := sys.NewQueue(q.name, q.opts...)
		if err != nil {
			return nil, err
		}
		*q.at = made
	}
	_, err := s.stock.Every(cmwq.Interval(250*time.Millisecond), cmwq.NewWork(countStock))
	return s, err
}

// trade takes orders until ctx ends.
func (s *shop) trade(ctx context.Context) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	next := 5 // report
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for range rand.IntN(20) {
			s.order()
		}
		if n == next {
			next += 10 + rand.IntN(20)
			_ = s.reports.Go(report)
		}
		if n%7 == 0 {
			for range 3 {
				_ = s.quotes.Go(quote)
			}
		}
		if n%10 == 0 {
			_ = s.index.Go(index)
		}
	}
}

// order is what one order makes to do.
func (s *shop) order() {
	n := s.orders.Add(1)
	_ = s.photos.Go(func(ctx *cmwq.Context) error {
		ctx.SetDesc("order %d", n)
		spin(200 * time.Microsecond)
		return ctx.Sleep(time.Duration(5+rand.IntN(60)) * time.Millisecond)
	})
	_ = s.mail.Go(func(ctx *cmwq.Context) error {
		if err := ctx.Sleep(time.Duration(rand.IntN(10)) * time.Millisecond); err != nil {
			return err
		}
		if n%25 == 0 || n%6 == 0 && ctx.Attempt() == 1 {
			return fmt.Errorf("order %d: %w", n, errBusy)
		}
		return nil
	})
	_ = s.audit.Go(s.book)
}

var errBusy = errors.New("the mail server is busy")

// report is a hog: the pool must find out.
func report(*cmwq.Context) error {
	spin(400 * time.Millisecond)
	return nil
}

// index computes for as long, and nobody has to find out.
func index(*cmwq.Context) error {
	spin(100 * time.Millisecond)
	return nil
}

// quote blocks without a word: what it calls knows nothing of workers.
func quote(*cmwq.Context) error {
	askTheBank()
	return nil
}

func askTheBank() { time.Sleep(700 * time.Millisecond) }

func countStock(*cmwq.Context) error {
	spin(time.Millisecond)
	return nil
}

// book writes an order down, unless the audit stands still.
func (s *shop) book(ctx *cmwq.Context) error {
	if c := s.stalled.Load(); c != nil {
		ctx.SetDesc("waits for the auditor")
		<-*c
	}
	return nil
}

// stall has the audit stand still, release lets it go on.
func (s *shop) stall() {
	c := make(chan struct{})
	s.stalled.CompareAndSwap(nil, &c)
}

func (s *shop) release() {
	if c := s.stalled.Swap(nil); c != nil {
		close(*c)
	}
}

// spin has a CPU for so long.
func spin(d time.Duration) {
	for t := time.Now(); time.Since(t) < d; {
	}
}
