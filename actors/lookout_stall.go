package actors

import (
	"log/slog"
	"strings"
	"time"

	"github.com/cmwq/cmwq/messages"
)

// reportBacklog is how many reports wait at most for a logger and functions of users
// that take their time.
const reportBacklog = 64

// stalled looks where the items of a pool are that stalls, and tells.
func (o *lookout) stalled(st *messages.Stall, runs []executing, scan uint64) {
	o.clerk.do(func() {
		_ = o.look(false) // what cannot be seen is left out
		for i := range runs {
			st.Running = append(st.Running, o.diagnosed(&runs[i]))
		}
		o.reports++
		st.Reports = o.reports
		o.tell(func(missed int) { st.Missed = missed; o.tellStall(st) })
		if scan != o.scan {
			o.scan = scan
			o.dump()
		}
	})
}

// tell has the teller do it, unless too much waits for that.
func (o *lookout) tell(f func(missed int)) {
	if o.teller.left.Load() >= reportBacklog {
		o.missed++
		return
	}
	missed := o.missed
	o.missed = 0
	o.teller.do(func() { f(missed) })
}

func (o *lookout) tellStall(st *messages.Stall) {
	p := &st.Pool
	var running, pending []string
	for i := range st.Running {
		running = append(running, st.Running[i].String())
	}
	for _, w := range st.Pending {
		for _, r := range w.Runs {
			pending = append(pending, w.Queue+": "+r.String())
		}
	}
	attrs := []any{
		slog.String("pool", p.Name), slog.String("kind", p.Kind), slog.String("cpus", p.PodCPUs), slog.Int("nice", p.Nice),
		slog.Duration("hung", st.Hung), slog.Int("waiting", p.Waiting), slog.Int("workers", p.Workers),
		slog.Int("idle", len(p.Idle)), slog.Any("running", running), slog.Any("pending", pending),
	}
	if st.Missed > 0 {
		attrs = append(attrs, slog.Int("missed", st.Missed))
	}
	o.contained("Logger", func() { o.sys.log.Warn("pool stalls: work waits, and nothing starts", attrs...) })
	if f := o.sys.opts.OnStall; f != nil {
		o.contained("OnStall", func() { f(*st) })
	}
}

// dump logs everything that is busy, once for all stalls of a scan.
func (o *lookout) dump() {
	s := o.sys
	if !s.log.Enabled(s.ctx, slog.LevelDebug) || o.teller.left.Load() >= reportBacklog/2 {
		return
	}
	snap, err := s.Snapshot(s.ctx)
	if err != nil {
		return
	}
	o.teller.do(func() {
		var b strings.Builder
		_, _ = snap.WriteTo(&b)
		o.contained("Logger", func() { s.log.Debug("busy queues and pools at a stall", slog.String("dump", b.String())) })
	})
}

// contained calls a function of the user's, on a goroutine of its own and until it has
// returned: it may panic, or call Goexit.
func (o *lookout) contained(name string, f func()) {
	done, begun := make(chan struct{}), false
	o.sys.disp.Schedule(func() {
		if begun {
			return // this goroutine stands in for one that has ended
		}
		begun = true
		defer close(done)
		defer func() {
			if v := recover(); v != nil {
				defer func() { _ = recover() }() // the logger's own
				o.sys.log.Error("a function that is told of reports panicked", slog.String("func", name), slog.Any("panic", v))
			}
		}()
		f()
	})
	<-done
}

// stall is what the pool is and what waits in it. The system's actor knows.
func (m *stallReport) stall() *messages.Stall {
	st := &messages.Stall{At: time.Now(), Pool: *m.snap, Hung: m.hung}
	new(listed).describe(m.pool, &st.Pool)
	st.Pool.Refs = m.pool.refs
	for i := range st.Pool.Shares {
		if s := &st.Pool.Shares[i]; len(s.Pending) > 0 {
			st.Pending = append(st.Pending, messages.PendingRuns{Queue: s.Queue, Runs: s.Pending})
		}
	}
	return st
}
