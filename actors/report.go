package actors

import (
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// What pools have to say in the log. The lookout says it, when the system's actor has
// counted: a logger is a user's, and may block, which a pool's turn may not.
type (
	hogReport struct {
		execution
		code        uintptr
		queue, pool string
		thread      *messages.Thread
	}
	stallReport struct {
		hung time.Duration
		pool *pool
		snap *messages.PoolSnapshot
		runs []executing
		scan uint64 // of the watchdog
	}
)

// IgnoreDeadLetterLogging keeps what comes after the end out of the log.
func (*hogReport) IgnoreDeadLetterLogging() {}

// IgnoreDeadLetterLogging keeps what comes after the end out of the log.
func (*stallReport) IgnoreDeadLetterLogging() {}

// reportHogs tells of items that were declared CPU hogs.
func (p *pool) reportHogs(hogs []*policy.Worker) {
	if p.sys.opts.HogReport < 0 {
		return
	}
	for _, w := range hogs {
		x := p.workers[w.ID].isAt()
		if l := &x.worker.lease; x.taken > 0 {
			p.ctx.Send(p.sys.root, &hogReport{x, codeAt(l, x.taken-1), x.worker.share.queue.name, p.name, x.worker.onThread(p.sys.now())})
		}
	}
}

func (a *systemActor) onHog(m *hogReport) {
	if n, report := a.hogs.Violation(m.code); report {
		a.sys.lookout.hog(m, n)
	}
}

func (a *systemActor) onStall(m *stallReport) {
	a.sys.lookout.stalled(m.stall(), m.runs, m.scan)
}
