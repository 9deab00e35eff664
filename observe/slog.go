package observe

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/cmwq/cmwq"
)

// logRoom is how many events wait for a logger at most.
const logRoom = 4096

// Log is an observer that writes events to a logger. A logger may block, which an observer
// must not: so a goroutine of its own writes them, in order, for as long as there are any.
// If the logger does not keep up, events are left out, and the log says how many. Its
// methods are safe for concurrent use.
type Log struct {
	h     slog.Handler    // I:
	level slog.Level      // I:
	kinds cmwq.EventKinds // I:

	mu    sync.Mutex
	queue []entry
	lost  int           // events that were left out since the last look
	idle  chan struct{} // closed when the goroutine ends; nil: there is none
}

// entry is a record, and the context that its handler gets.
type entry struct {
	ctx context.Context
	slog.Record
}

// Slog gives an observer that logs these kinds of event, or all if none is named, at a
// level. What went wrong, which is Fail, Mayday, and a Create with an error, is logged at
// slog.LevelWarn at least. The message is the kind's name; the time is that of the event;
// the context has what travels with the item, so that a handler finds the submitter's
// trace. About 1 µs an event, beside the logger's own time; 10 ns if the logger is not
// enabled for the level.
func Slog(l *slog.Logger, level slog.Level, kinds ...cmwq.EventKind) *Log {
	g := &Log{h: l.Handler(), level: level, kinds: cmwq.KindsOf(kinds...)}
	if len(kinds) == 0 {
		g.kinds = cmwq.AllEvents
	}
	return g
}

// Kinds are those that it logs.
func (g *Log) Kinds() cmwq.EventKinds { return g.kinds }

// Observe hands the event to the goroutine that writes.
func (g *Log) Observe(e cmwq.Event) {
	level := g.levelOf(&e)
	ctx := e.Submitter
	if ctx == nil {
		ctx = context.Background()
	}
	if !g.h.Enabled(ctx, level) {
		return
	}
	r := slog.NewRecord(e.At, level, e.Kind.String(), 0)
	r.AddAttrs(e.Attrs()...)
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.queue) >= logRoom {
		g.lost++
		return
	}
	g.queue = append(g.queue, entry{ctx, r})
	if g.idle == nil {
		g.idle = make(chan struct{})
		go g.write(g.idle)
	}
}

func (g *Log) levelOf(e *cmwq.Event) slog.Level {
	if e.Kind == cmwq.EventFail || e.Kind == cmwq.EventMayday || e.Kind == cmwq.EventCreate && e.Err != nil {
		return max(g.level, slog.LevelWarn)
	}
	return g.level
}

// write writes until nothing is left.
func (g *Log) write(idle chan<- struct{}) {
	defer close(idle)
	for entries, lost := g.take(); len(entries) > 0; entries, lost = g.take() {
		for _, x := range entries {
			g.handle(x)
		}
		if lost > 0 {
			r := slog.NewRecord(time.Now(), slog.LevelWarn, "events were not logged: the log is too slow", 0)
			r.AddAttrs(slog.Int("events", lost))
			g.handle(entry{context.Background(), r})
		}
	}
}

// take gives what waits; if nothing does, the goroutine ends.
func (g *Log) take() (entries []entry, lost int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.queue) == 0 {
		g.idle = nil
		return nil, 0
	}
	entries, lost = g.queue, g.lost
	g.queue, g.lost = nil, 0
	return entries, lost
}

// handle has one record written. As in a slog.Logger an error is nobody's; what panics
// counts as left out, for it would end the program.
func (g *Log) handle(x entry) {
	defer func() {
		if recover() != nil {
			g.mu.Lock()
			g.lost++
			g.mu.Unlock()
		}
	}()
	_ = g.h.Handle(x.ctx, x.Record)
}

// Flush waits until every event that was told is written, or ctx ends: it is for the end
// of a program, and of a test.
func (g *Log) Flush(ctx context.Context) error {
	g.mu.Lock()
	idle := g.idle
	g.mu.Unlock()
	if idle == nil {
		return nil
	}
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
