package actors

import (
	"runtime"

	"github.com/cmwq/cmwq/messages"
)

const (
	dumpItems = 10000 // items of a list that a snapshot looks at: 50 to 100 µs
	dumpRuns  = 100   // runs of equal functions that it tells
	dumpMore  = "..." // stands for what it does not tell
)

// runs folds items in a row that call the same function.
type runs struct {
	list []messages.Run
	code uintptr
	n    int  // items that it was shown, and that it tells of
	more bool // there are others
}

// take adds an item that is listed, unless there are enough.
func (r *runs) take(p *pool, it *messages.Item) {
	waiters := 0
	if it.List&messages.Awaited != 0 {
		waiters = len(p.waits[it])
	}
	if len(r.list) < dumpRuns {
		r.n++
		r.add(codeOf(it, it.Func), waiters)
	}
}

func (r *runs) add(code uintptr, waiters int) {
	if k := len(r.list); k > 0 && r.code == code && r.list[k-1].Waiters == 0 {
		r.list[k-1].N++
		r.list[k-1].Waiters = waiters
		return
	}
	r.code = code
	r.list = append(r.list, messages.Run{Func: codeName(code), N: 1, Waiters: waiters})
}

func (r *runs) done() []messages.Run {
	if r.more {
		r.list = append(r.list, messages.Run{Func: dumpMore, N: 1})
	}
	return r.list
}

// codeAt is the code of a lease's i-th item. Its Func may be its user's by now.
func codeAt(l *messages.Lease, i int) uintptr {
	if len(l.Funcs) != len(l.Items) {
		return 0
	}
	return codeOf(l.Items[i], l.Funcs[i])
}

// codeOf is the code that an item which calls f runs for its user.
func codeOf(it *messages.Item, f messages.Func) uintptr {
	if c, ok := it.Msg().(messages.Caller); ok {
		return c.Calls()
	}
	return messages.CodeOf(f)
}

func codeName(code uintptr) string {
	if f := runtime.FuncForPC(code); f != nil {
		return f.Name()
	}
	return "unknown"
}
