package actors

import (
	"reflect"
	"runtime"

	"github.com/cmwq/cmwq/internal/stacks"
	"github.com/cmwq/cmwq/messages"
)

// The function of ours that calls the items', on the stack of every goroutine that runs
// one.
var (
	outermost      = reflect.ValueOf((*worker).run).Pointer()
	outermostsName = runtime.FuncForPC(outermost).Name()
)

// wants keeps the goroutines of this system's workers, by their labels, and those that
// run items and have lost their labels: an item may have set its own.
func (o *lookout) wants(g *stacks.Group) bool {
	system, ours := g.Labels[labelSystem]
	if ours {
		return system == o.number
	}
	return g.Calls(outermost)
}

// sight finds the items' goroutines. What has ended meanwhile is not told: the worker
// may have been at the next one.
func sight(items []executing, groups []stacks.Group) map[execution]*messages.Where {
	by := make(map[string]*messages.Where, len(groups))
	var nameless []stacks.Group
	for _, g := range groups {
		worker, named := g.Labels[labelWorker]
		f := g.Frames()
		switch {
		case !named:
			nameless = append(nameless, g)
		case stacks.Within(f, outermostsName), !stacks.Whole(f) && g.N == 1:
			by[worker] = stacks.Where(f, outermostsName)
		default: // a goroutine that an item started has its labels, too
		}
	}
	seen := make(map[execution]*messages.Where, len(items))
	missing := map[string][]execution{}
	for _, x := range items {
		switch w := by[x.worker.name]; {
		case x.taken == 0 || !x.goesOn():
		case w != nil:
			seen[x.execution] = w
		default:
			missing[x.Func] = append(missing[x.Func], x.execution)
		}
	}
	for function, items := range missing {
		if w := only(nameless, function, len(items)); w != nil {
			for _, x := range items {
				seen[x] = w
			}
		}
	}
	return seen
}

// only says where so many items with a function are, if there can be no doubt: so many
// goroutines that have lost their labels call it, all on the same line.
func only(groups []stacks.Group, function string, n int) (w *messages.Where) {
	for _, g := range groups {
		f := g.Frames()
		if !stacks.Within(f, function) {
			continue
		}
		if w != nil || g.N != n {
			return nil
		}
		w = stacks.Where(f, outermostsName)
	}
	return w
}
