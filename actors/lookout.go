package actors

import (
	"context"
	"runtime"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// lookout says where the items are that workers run: for reports of stalls and hogs, and
// for who asks. It takes goroutine profiles, as seldom as policy.Looks says, and knows
// what it saw until it may look again.
//
// All of that is done by its clerk, on goroutines of the dispatcher; no actor waits for
// it. What users are told is another clerk's: their functions may take their time.
type lookout struct {
	sys    *System // I:
	number string  // I: of the system, in labels
	clerk  clerk   // A: looks
	teller clerk   // A: writes the log, and calls the users' functions

	budget policy.Looks                  // C: C is the clerk
	last   time.Duration                 // C: when the last look began, 0: none did
	took   time.Duration                 // C: it
	seen   map[execution]*messages.Where // C: by it
	recent recent                        // A

	reports int    // C: of stalls
	missed  int    // C: reports that were not told, since the last that was
	scan    uint64 // C: of the last dump
}

func newLookout(s *System) *lookout {
	return &lookout{sys: s, number: nextSystem(), clerk: clerk{disp: s.disp}, teller: clerk{disp: s.disp}}
}

// look takes a profile if that may be, of all items that run.
func (o *lookout) look(asked bool) error {
	s := o.sys
	from := s.now()
	if !o.budget.May(from, runtime.NumGoroutine(), asked) {
		return nil
	}
	before, err := s.executing(s.ctx)
	if err != nil || len(before) == 0 {
		return err
	}
	begun := s.now()
	goroutines, err := s.opts.Profile(o.wants)
	o.took = s.now() - from
	o.budget.Took(from, s.now())
	if err != nil {
		return err
	}
	o.last, o.seen = begun, sight(before, goroutines)
	return nil
}

// Diagnose says where every item in flight is.
func (s *System) Diagnose(ctx context.Context) (*messages.Diagnosis, error) {
	type answer struct {
		d   *messages.Diagnosis
		err error
	}
	reply := make(chan answer, 1)
	select {
	case <-s.gone:
		return nil, messages.ErrStopped
	default:
	}
	s.lookout.clerk.do(func() {
		d, err := s.lookout.diagnose(ctx)
		reply <- answer{d, err}
	})
	select {
	case a := <-reply:
		return a.d, a.err
	case <-s.gone:
		return nil, messages.ErrStopped
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (o *lookout) diagnose(ctx context.Context) (*messages.Diagnosis, error) {
	s := o.sys
	if ctx.Err() != nil {
		return nil, context.Cause(ctx) // nobody waits any more
	}
	if err := o.look(true); err != nil {
		return nil, err
	}
	items, err := s.executing(s.ctx)
	if err != nil {
		return nil, err
	}
	d := &messages.Diagnosis{At: time.Now(), Took: o.took, Next: s.base.Add(o.budget.Next())}
	if o.last > 0 {
		d.Looked = s.base.Add(o.last)
	}
	for i := range items {
		d.Items = append(d.Items, o.diagnosed(&items[i]))
	}
	return d, nil
}

// diagnosed is an item with where it was at the last look.
func (o *lookout) diagnosed(x *executing) messages.Diagnosed {
	return messages.Diagnosed{Queue: x.queue, Pool: x.pool, InFlight: x.InFlight, Where: o.seen[x.execution]}
}
