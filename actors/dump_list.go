package actors

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// listAll asks the system's actor what there is.
type listAll struct{ reply chan<- *listed }

// IgnoreDeadLetterLogging keeps what comes after the end out of the log.
func (*listAll) IgnoreDeadLetterLogging() {}

// listed is the answer.
type listed struct {
	pools  []*pool  // by number
	refs   []int    // of each: shares that it has
	queues []*Queue // by name; nobody changes it
	view   policy.View
	scopes []messages.ScopeSnapshot
}

func (s *System) list(ctx context.Context) (*listed, error) {
	reply := make(chan *listed, 1)
	s.as.Root.Send(s.root, &listAll{reply})
	select {
	case l := <-reply:
		return l, nil
	case <-s.gone:
		return nil, messages.ErrStopped
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// list sorts the queues once for many snapshots.
func (a *systemActor) list() *listed {
	if a.byName == nil {
		a.byName = slices.SortedFunc(maps.Keys(a.queues), byName)
		for i, q := range a.byName {
			q.seat.Store(int32(i))
		}
	}
	l := &listed{queues: a.byName, view: a.view, scopes: a.scopes(), pools: slices.Collect(a.all())}
	slices.SortFunc(l.pools, func(a, b *pool) int { return cmp.Compare(a.id, b.id) })
	for _, p := range l.pools {
		l.refs = append(l.refs, p.refs)
	}
	return l
}

// byName orders queues; one that has ended, and still runs something, may have the name
// of another.
func byName(a, b *Queue) int {
	return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.pid.Id, b.pid.Id))
}
