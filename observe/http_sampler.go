package observe

import (
	"context"
	"time"

	"github.com/cmwq/cmwq"
)

// sampler takes samples for all who look, one at a time.
type sampler struct {
	take  func(context.Context) (*cmwq.Snapshot, error)
	ask   func(context.Context) (*cmwq.Diagnosis, error) // it has a budget of its own
	stuck time.Duration
	lock  chan struct{} // holds a value while somebody uses what is below
	last  *sample
}

// frame gives what q asks for of a sample that is not older than age.
func (s *sampler) frame(ctx context.Context, q query, age time.Duration) ([]byte, error) {
	select {
	case s.lock <- struct{}{}:
		defer func() { <-s.lock }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if s.last == nil || time.Since(s.last.snap.At) > age {
		snap, err := s.take(ctx)
		if err != nil {
			return nil, err
		}
		n := s.last.next(snap)
		if n.wonders() {
			if d, err := s.ask(ctx); err == nil {
				n.learn(d)
			}
		}
		n.diagnose(s.last, s.stuck)
		s.last = n
	}
	b, ok := s.last.frames[q]
	if !ok {
		b = s.last.frame(q)
		if len(s.last.frames) < 2*maxViewers { // who asks for ever new things does not share
			s.last.frames[q] = b
		}
	}
	return b, nil
}

// forget lets go of what was seen: a sample is as large as the system.
func (s *sampler) forget() {
	s.lock <- struct{}{}
	s.last = nil
	<-s.lock
}
