package actors

import (
	"context"
	"sync"
)

// dispatcher runs actors on goroutines that it keeps: their stacks are grown,
// which is most of what protoactor's default dispatcher costs. It survives
// runtime.Goexit in a handler, and ends all its goroutines with close.
type dispatcher struct {
	mu     sync.Mutex
	idle   []chan task // most recently idle last
	keep   int         // idle goroutines kept at most
	live   int         // goroutines
	closed bool
	gone   chan struct{} // closed when closed and live is 0
}

func newDispatcher(keep int) *dispatcher {
	return &dispatcher{keep: keep, gone: make(chan struct{})}
}

// Throughput is how many messages an actor may take before it yields.
func (d *dispatcher) Throughput() int { return 300 }

// task is what a goroutine does next; none ends it.
type task struct {
	fn    func()
	label *goroutineLabel // of what fn runs, nil if it has none
}

// Schedule runs fn on a goroutine soon; it never blocks.
func (d *dispatcher) Schedule(fn func()) { d.schedule(task{fn: fn}) }

func (d *dispatcher) schedule(t task) {
	d.mu.Lock()
	if n := len(d.idle); n > 0 {
		ch := d.idle[n-1]
		d.idle = d.idle[:n-1]
		d.mu.Unlock()
		ch <- t
		return
	}
	d.live++
	d.mu.Unlock()
	go d.loop(t)
}

func (d *dispatcher) loop(t task) {
	ch := make(chan task, 1)
	unlabel() // those of whoever needed a goroutine
	var label *goroutineLabel
	defer func() {
		if t.fn != nil { // Goexit in a handler: its mailbox still counts as running
			go d.loop(t)
			return
		}
		d.mu.Lock()
		d.live--
		d.ended()
		d.mu.Unlock()
	}()
	for t.fn != nil {
		if l := t.label; l != nil && (l != label || l.queues) {
			label = l
			l.set()
		}
		t.fn()
		t = task{}
		d.mu.Lock()
		if d.closed || len(d.idle) >= d.keep {
			d.mu.Unlock()
			return
		}
		d.idle = append(d.idle, ch)
		d.mu.Unlock()
		t = <-ch
	}
}

// workers tells that there are so many workers more, or fewer: each may keep a
// goroutine. Those that are too many end, the longest idle first.
func (d *dispatcher) workers(more int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.keep += more
	for len(d.idle) > max(d.keep, 0) {
		d.idle[0] <- task{}
		d.idle = d.idle[1:]
	}
}

func (d *dispatcher) ended() {
	if d.closed && d.live == 0 {
		select {
		case <-d.gone:
		default:
			close(d.gone)
		}
	}
}

// close ends the idle goroutines at once and the others when they are done, and
// waits for them. Work may still be scheduled by those.
func (d *dispatcher) close(ctx context.Context) error {
	d.mu.Lock()
	d.closed = true
	for _, ch := range d.idle {
		ch <- task{}
	}
	d.idle = nil
	d.ended()
	d.mu.Unlock()
	select {
	case <-d.gone:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
