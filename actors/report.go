package actors

import (
	"log/slog"
	"time"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// What pools have to say in the log. The system's actor says it: a logger is a
// user's, and may block, which a pool's turn may not.
type (
	hogReport struct {
		code        uintptr
		queue, pool string
	}
	stallReport struct {
		hung time.Duration
		pool *messages.PoolSnapshot
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
		l := &p.workers[w.ID].lease
		if taken, _ := l.Progress(); taken > 0 {
			p.ctx.Send(p.sys.root, &hogReport{codeAt(l, taken-1), p.workers[w.ID].share.queue.name, p.name})
		}
	}
}

func (a *systemActor) onHog(m *hogReport) {
	n, report := a.hogs.Violation(m.code)
	if !report {
		return
	}
	a.sys.log.Warn("work holds a CPU for too long: consider an Unbound or CPUIntensive queue",
		slog.String("func", codeName(m.code)), slog.String("queue", m.queue), slog.String("pool", m.pool),
		slog.Duration("threshold", a.sys.opts.HogThreshold), slog.Int("times", n))
}

func (a *systemActor) onStall(m *stallReport) {
	p := m.pool
	attrs := []any{
		slog.String("pool", p.Name), slog.String("kind", p.Kind), slog.Duration("hung", m.hung),
		slog.Int("waiting", p.Waiting), slog.Int("workers", p.Workers), slog.Int("idle", len(p.Idle)),
	}
	var running, pending []string
	for i := range p.Shares {
		s := &p.Shares[i]
		for j := range s.InFlight {
			running = append(running, s.Queue+": "+s.InFlight[j].String())
		}
		for _, r := range s.Pending {
			pending = append(pending, s.Queue+": "+r.String())
		}
	}
	a.sys.log.Warn("pool stalls: work waits, and nothing starts",
		append(attrs, slog.Any("running", running), slog.Any("pending", pending))...)
}
