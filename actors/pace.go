package actors

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// pacer is what a share has of its queue's limit on how often items start. The bucket
// of tokens is the queue's; a share that finds it empty looks again when a token is due.
type pacer struct {
	bucket *rate.Limiter // P:
	timer  *time.Timer   // P: nil before the first wait
	due    *messages.Control
	paid   int  // P: items on the worklist that have their token: their lease was taken back
	last   bool // P: this share took the last token that it wanted
}

// paceTick is told to a share's pool when a token is due.
type paceTick struct{ share *share }

func (m *paceTick) read(p *pool) {
	m.share.pacer.due.Queued.Store(false)
	m.share.pol.Open()
	p.activate(m.share)
}

// repace changes the bucket of a share.
type repace struct {
	share  *share
	bucket *rate.Limiter
}

func (m *repace) read(p *pool) {
	s := m.share
	for _, w := range p.leased {
		if w.share == s {
			p.takeBack(w)
		}
	}
	p.remember(s)
	s.pace(m.bucket)
	p.activate(s)
}

// pace gives the share a bucket.
func (s *share) pace(bucket *rate.Limiter) {
	if s.pacer == nil {
		s.pacer = &pacer{}
	}
	s.pacer.bucket = bucket
	s.pol.Pace(true)
}

// mayStart takes a token for one item of a share. If there is none the share's items
// are inactive until one is due.
func (p *pool) mayStart(s *share) bool {
	c := s.pacer
	if c.paid > 0 {
		c.paid--
		return true
	}
	now := time.Now()
	perSecond := c.bucket.Limit()
	if perSecond == rate.Inf {
		return true
	}
	d, ok := policy.NextToken(c.bucket.TokensAt(now), float64(perSecond))
	if d == 0 && ok {
		r := c.bucket.ReserveN(now, 1)
		if r.OK() && r.DelayFrom(now) <= time.Microsecond {
			c.last = true
			return true
		}
		r.CancelAt(now) // another pool was faster
		d = time.Microsecond
	}
	if ok {
		if c.last && s.borrows {
			d += time.Microsecond // a share that has none yet goes before
		}
		c.wait(p, s, d)
	}
	c.last = false
	p.hush(s)
	return false
}

func (c *pacer) wait(p *pool, s *share, d time.Duration) {
	if c.timer == nil {
		due := messages.NewControl(&paceTick{s})
		c.due = due
		c.timer = time.AfterFunc(d, func() { p.mb.postOnce(due) })
		return
	}
	c.timer.Reset(d)
}

// hush makes the share's items on the worklist inactive again, before those that are.
func (p *pool) hush(s *share) {
	n := p.pol.Hush(&s.pol)
	var back []*messages.Item
	for it := p.list.first; it != nil && len(back) < n; {
		next := it.Next
		if home(it) == s {
			p.unlist(it)
			back = append(back, it)
		}
		it = next
	}
	for _, it := range slices.Backward(back) {
		it.List = messages.OnInactive | it.List&messages.Awaited
		s.inactive.prepend(it)
	}
	p.activate(s) // gives back slots that are wanted, and tells who freezes
}

// SetRate changes how often items start: perSecond on average, and up to burst at once.
func (q *Queue) SetRate(perSecond rate.Limit, burst int) error {
	if err := CheckRate(perSecond, burst); err != nil {
		return err
	}
	if q.opts.System {
		return messages.ErrSystemQueue
	}
	done := make(chan error, 1)
	return q.ask(context.Background(), &setRate{perSecond: perSecond, burst: burst, done: done}, done)
}

// CheckRate says whether a rate makes sense.
func CheckRate(perSecond rate.Limit, burst int) error {
	if perSecond < 0 || math.IsNaN(float64(perSecond)) || burst < 1 && perSecond != rate.Inf {
		return fmt.Errorf("%w: a rate of %v in a second, and bursts of %d", messages.ErrOption, perSecond, burst)
	}
	return nil
}

// setRate asks a queue to do that.
type setRate struct {
	messages.Quiet
	perSecond rate.Limit
	burst     int
	done      chan<- error
}

// onSetRate keeps the bucket that is there, and what is in it.
func (a *queueActor) onSetRate(m *setRate) {
	b := a.q.has().bucket.Load()
	if b == nil {
		b = rate.NewLimiter(m.perSecond, m.burst)
		a.q.gets().bucket.Store(b)
	} else {
		b.SetLimit(m.perSecond)
		b.SetBurst(m.burst)
	}
	for _, s := range a.shares {
		a.q.post(s, &repace{s, b})
	}
	reply(m.done, nil)
}

// parked counts an item of a share off the worklist that waits for the worker which
// runs it; of a paced share the next may stand there.
func (p *pool) parked(s *share) {
	p.pol.Park(&s.pol)
	if s.pacer != nil {
		p.activate(s)
	}
}
