package actors

import "sync/atomic"

// signal is a channel that is closed once. It is made when somebody waits for that:
// most queues end before anybody does.
type signal struct{ made atomic.Pointer[chan struct{}] }

// given is the channel of signals that nobody waited for.
var given = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// done is closed when the signal is given.
func (s *signal) done() <-chan struct{} {
	if c := s.made.Load(); c != nil {
		return *c
	}
	c := make(chan struct{})
	s.made.CompareAndSwap(nil, &c)
	return *s.made.Load()
}

// give gives the signal; it may be given once.
func (s *signal) give() {
	if !s.made.CompareAndSwap(nil, &given) {
		close(*s.made.Load())
	}
}

func (s *signal) isGiven() bool {
	c := s.made.Load()
	if c == nil {
		return false
	}
	select {
	case <-*c:
		return true
	default:
		return false
	}
}
