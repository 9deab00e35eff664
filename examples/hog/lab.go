package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq"
)

// lab is where things are measured.
type lab struct {
	hog     time.Duration
	times   int // how often waits that should be short are measured
	jobs    int // and whole jobs
	others  int // goroutines that keep the other CPUs busy
	burn    func(time.Duration)
	options []cmwq.Option
}

// scene is one measurement: a system of its own, and a process that has no CPU to spare.
type scene struct {
	lab  *lab
	set  setup
	sys  *cmwq.System
	end  atomic.Bool // what burns should end
	busy sync.WaitGroup
}

func (l *lab) open(s setup) (*scene, error) {
	sys, err := cmwq.New(append(append([]cmwq.Option{}, l.options...), s.system...)...)
	if err != nil {
		return nil, err
	}
	c := &scene{lab: l, set: s, sys: sys}
	if !s.idle {
		c.crowd()
	}
	return c, nil
}

// crowd keeps the other CPUs busy with what is no item.
func (c *scene) crowd() {
	for range c.lab.others {
		c.busy.Go(func() {
			for !c.end.Load() {
				c.lab.burn(time.Millisecond)
			}
		})
	}
}

func (c *scene) close(err error) error {
	c.end.Store(true)
	c.busy.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if e := c.sys.Stop(ctx); err == nil {
		err = e
	}
	return err
}

// holds burns for the time of a hog, or until the scene ends.
func (c *scene) holds(ctx *cmwq.Context) error {
	step := time.Millisecond
	if c.set.each > 0 {
		step = c.set.each
	}
	for start := time.Now(); time.Since(start) < c.lab.hog && !c.end.Load(); {
		c.lab.burn(step)
		if c.set.pause != nil {
			c.set.pause(ctx)
		}
	}
	return nil
}

// queues makes the hog's queue, and the other item's if that is another.
func (c *scene) queues() (hogs, others *cmwq.Queue, err error) {
	if hogs, err = c.sys.NewQueue("hogs", c.set.hog...); err != nil || !c.set.other {
		return hogs, hogs, err
	}
	others, err = c.sys.NewQueue("others", cmwq.PerCPU())
	return hogs, others, err
}
