package sim

import (
	"math/rand/v2"
	"time"
)

// load is the issuers: each issues its blocks one after the other, keeps its CPU
// while it has any, and gets them back when the device is done with them.
type load struct {
	*scheduler
	crypt   *crypt
	rand    *rand.Rand
	issuers []*issuer
	done    int // blocks encrypted
}

type issuer struct {
	task
	backlog int
	busy    bool          // a block is being issued
	queued  bool          // runnable or running
	since   time.Duration // it has its CPU
}

func newLoad(s *scheduler, c *crypt, r *rand.Rand, a *Affinity) *load {
	l := &load{scheduler: s, crypt: c, rand: r}
	for n := range a.Issuers {
		is := &issuer{backlog: a.Model.Depth}
		is.pod = n % (len(s.waiting) - 1)
		is.mover = true
		is.next = func() (time.Duration, bool) { return l.issue(is) }
		l.issuers = append(l.issuers, is)
	}
	return l
}

func (l *load) start() {
	for _, is := range l.issuers {
		l.wake(is)
		l.move(is)
	}
}

func (l *load) wake(is *issuer) {
	if !is.queued {
		is.queued = true
		l.ready(&is.task)
	}
}

// issue ends one block's issuing and begins the next.
func (l *load) issue(is *issuer) (time.Duration, bool) {
	if is.busy {
		is.busy = false
		l.crypt.queue(is.cpu.pod, func() { l.device(is) })
	} else {
		is.since = l.now
	}
	over := is.backlog > 0 && l.now-is.since >= l.model.Slice && l.now > is.since && l.waited(is.pod)
	if is.cpu.pod != is.pod || over { // it has moved, or it is others' turn
		l.after(0, func() { l.ready(&is.task) })
		return 0, false
	}
	if is.backlog == 0 {
		is.queued = false
		return 0, false
	}
	is.backlog--
	is.busy = true
	return l.model.Burst, true
}

// device has an encrypted block written; then the issuer has it again.
func (l *load) device(is *issuer) {
	l.done++
	l.after(l.random(l.model.Device), func() {
		is.backlog++
		l.wake(is)
	})
}

// move gives an issuer another pod now and then: the less loaded of two.
func (l *load) move(is *issuer) {
	l.after(l.random(l.model.Move), func() {
		pods := len(l.waiting) - 1
		a, b := l.rand.IntN(pods), l.rand.IntN(pods)
		if l.others(is, b) < l.others(is, a) {
			a = b
		}
		if is.queued && is.cpu == nil && is.pod != a && l.remove(&is.task) {
			is.pod = a
			l.ready(&is.task)
		} else {
			is.pod = a
		}
		l.move(is)
	})
}

func (l *load) others(is *issuer, pod int) (n int) {
	for _, x := range l.issuers {
		if x != is && x.pod == pod {
			n++
		}
	}
	return n
}

func (l *load) random(mean time.Duration) time.Duration {
	return time.Duration(l.rand.ExpFloat64() * float64(mean))
}
