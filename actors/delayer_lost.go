package actors

import "errors"

// lost counts items that came due, one after the other, and that their queue did
// not take: one line in the log for all.
type lost struct {
	queue *Queue
	why   error
	n     int
}

func (d *delayer) lose(q *Queue, why error) {
	if q != d.lost.queue || !errors.Is(why, d.lost.why) {
		d.report()
		d.lost = lost{queue: q, why: why}
	}
	d.lost.n++
}

func (d *delayer) report() {
	if l := d.lost; l.n > 0 {
		d.sys.log.Warn("delayed work was dropped: its queue takes none", "queue", l.queue.name, "items", l.n, "err", l.why)
	}
	d.lost = lost{}
}
