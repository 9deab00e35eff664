package actors

import "context"

// A pool forgets a share whose queue has ended as soon as nothing of it is left there. A
// queue that was abandoned may still run something elsewhere, and a snapshot tells of it:
// so of such a queue every share is asked for its numbers, which are not lost with it.

// recall asks a pool for a share that it may have forgotten.
type recall struct {
	share *share
	reply chan<- shareAnswer
}

func (m *recall) read(p *pool) {
	a := shareAnswer{share: m.share, numbers: m.share.numbers(p.leased), at: -1}
	a.times = m.share.has().times.clone()
	m.reply <- a
}

func (m *recall) refused(p *pool) { m.read(p) }

// recall asks for all shares of queues that have ended, and of which something was told,
// and of those that were found late.
func (l *tally) recall(ctx context.Context) error {
	for i, q := range l.queues {
		k := &l.all[i]
		late := i >= len(l.queues)-l.more // its own numbers were read after its pools had answered
		if !late && (len(k.shares) == 0 || q.flags.Load()&finished == 0) {
			continue
		}
		shares := k.table.all()
		k.sum, k.times = q.ownStats(), nil
		reply := make(chan shareAnswer, len(shares))
		asked := 0
		for _, s := range shares {
			if q.post(s, &recall{s, reply}) {
				asked++
			} else if s.pool.ended { // nobody changes it any more
				(&recall{s, reply}).read(s.pool)
				asked++
			}
		}
		for range asked {
			select {
			case a := <-reply:
				a.addTo(&k.sum)
				k.times = k.times.with(a.times)
			case <-q.sys.gone:
				return nil // there is no more to be had
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}
	return nil
}
