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
	idle   []*goroutine // most recently idle last
	keep   int          // idle goroutines kept at most
	live   int          // goroutines
	closed bool
	gone   chan struct{} // closed when closed and live is 0
}

func newDispatcher(keep int) *dispatcher {
	return &dispatcher{keep: keep, gone: make(chan struct{})}
}

// Throughput is how many messages an actor may take before it yields.
func (d *dispatcher) Throughput() int { return 300 }

// goroutine is a goroutine that the dispatcher keeps.
type goroutine struct {
	next  chan func()     // what it runs next; nil ends it
	label *goroutineLabel // of that, nil if it has none; written by who sends it
}

// Schedule runs fn on a goroutine soon; it never blocks.
func (d *dispatcher) Schedule(fn func()) { d.schedule(fn, nil) }

func (d *dispatcher) schedule(fn func(), label *goroutineLabel) {
	d.mu.Lock()
	if n := len(d.idle); n > 0 {
		g := d.idle[n-1]
		d.idle = d.idle[:n-1]
		d.mu.Unlock()
		g.label = label
		g.next <- fn
		return
	}
	d.live++
	d.mu.Unlock()
	go d.loop(fn, label)
}

func (d *dispatcher) loop(fn func(), label *goroutineLabel) {
	g := &goroutine{make(chan func(), 1), label}
	unlabel() // those of whoever needed a goroutine
	var has *goroutineLabel
	defer func() {
		if fn != nil { // Goexit in a handler: its mailbox still counts as running
			go d.loop(fn, g.label)
			return
		}
		d.mu.Lock()
		d.live--
		d.ended()
		d.mu.Unlock()
	}()
	for fn != nil {
		if l := g.label; l != nil && (l != has || l.queues) {
			has = l
			l.set()
		}
		fn()
		fn = nil
		d.mu.Lock()
		if d.closed || len(d.idle) >= d.keep {
			d.mu.Unlock()
			return
		}
		d.idle = append(d.idle, g)
		d.mu.Unlock()
		fn = <-g.next
	}
}

// workers tells that there are so many workers more, or fewer: each may keep a
// goroutine. Those that are too many end, the longest idle first.
func (d *dispatcher) workers(more int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.keep += more
	for len(d.idle) > max(d.keep, 0) {
		d.idle[0].next <- nil
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
	for _, g := range d.idle {
		g.next <- nil
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
