package actors

import (
	"context"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cmwq/cmwq/messages"
)

// dependencies are the pairs of queues that were warned of, each once, by their names:
// queues that come and go have the same ones again, or always new ones, so that there
// is a limit.
type dependencies struct {
	pairs sync.Map
	n     atomic.Int32 // A: how many those are
}

// maxDependencies is how many pairs are warned of, as many as hogs are.
const maxDependencies = 128

type dependency struct{ from, on string }

// first says whether the pair is to be warned of. A limit that is reached is final.
func (d *dependencies) first(pair dependency) bool {
	if _, told := d.pairs.Load(pair); told || d.n.Load() >= maxDependencies {
		return false
	}
	if d.n.Add(1) > maxDependencies {
		return false
	}
	_, told := d.pairs.LoadOrStore(pair, true)
	if told {
		d.n.Add(-1)
	}
	return !told
}

// warnDependency warns, once a pair of queues, when an item of a queue with a
// rescuer waits for a queue without: the one gets on without new workers, the
// other may not, so the promise of the first is worth no more than luck. The item
// is known by the context that it passes, its own or one derived from it. Cancel
// may wait: it takes pending work off. (kernel: check_flush_dependency)
func warnDependency(ctx context.Context, on *Queue) {
	if on == nil || on.opts.MemReclaim || ctx.Err() != nil {
		return // a context that is over may not be looked at: its item has ended
	}
	item, ok := ctx.Value(messages.ItemKey{}).(*messages.Context)
	if !ok {
		return
	}
	from, ok := item.Owner().(*Queue)
	if !ok || !from.opts.MemReclaim || from.sys != on.sys {
		return
	}
	if !on.sys.warned.first(dependency{from.name, on.name}) {
		return
	}
	on.sys.log.Warn("an item of a queue with MemReclaim waits for a queue without",
		slog.String("queue", from.name), slog.String("waits_for", on.name),
		slog.String("func", caller()), slog.String("worker", item.Worker()))
}

// caller is the function that called into this module.
func caller() string {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "github.com/cmwq/cmwq.") && !strings.HasPrefix(f.Function, "github.com/cmwq/cmwq/actors.") {
			return f.Function
		}
		if !more {
			return "unknown"
		}
	}
}
