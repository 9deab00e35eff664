package actors

import (
	"context"
	"log/slog"
	"runtime"
	"strings"
	"sync"

	"github.com/cmwq/cmwq/messages"
)

// dependencies are the pairs of queues that were warned of, each once.
type dependencies struct{ pairs sync.Map }

type dependency struct{ from, on string }

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
	if _, told := on.sys.warned.pairs.LoadOrStore(dependency{from.name, on.name}, true); told {
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
