package actors

import (
	"errors"

	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// Warnings that a queue gives once.
const (
	flushWarned = 1 << iota
	nodeWarned
)

// warnFlush warns whoever flushes a queue that is everybody's: it waits for work
// of others, for as long as that takes.
func (q *Queue) warnFlush() {
	if q.opts.FlushWarn && q.warnOnce(flushWarned) {
		q.sys.log.Warn("a system queue is flushed: it may hold work of others; use a queue of your own", "queue", q.name)
	}
}

// warnOnce says whether the warning was not given yet.
func (q *Queue) warnOnce(which uint32) bool {
	return q.has().warned.Load()&which == 0 && q.gets().warned.Or(which)&which == 0
}

// everybodys refuses to change a queue that others use, who know nothing of the change.
func (q *Queue) everybodys(what string) error {
	if !q.opts.System || q.flags.Load() != 0 {
		return nil // who asks after the end is told of that
	}
	q.sys.log.Warn("a system queue is not to be changed; use a queue of your own", "queue", q.name, "asked", what)
	return messages.ErrSystemQueue
}

// StoppedQueue gives a queue that never was: every call says ErrStopped. It is
// what is asked for by those who do not expect an error, after the end. Another
// reason than that is logged.
func (s *System) StoppedQueue(name string, opts QueueOptions, err error) *Queue {
	if !errors.Is(err, messages.ErrStopped) {
		s.log.Error("a system queue could not be made", "queue", name, "err", err)
	}
	q := &Queue{sys: s, name: name, opts: &opts}
	q.gone.give()
	q.flags.Store(systemStopped)
	q.home.Owner = q
	q.attrs.Store(&policy.Attrs{})
	p := newPool(s, "stopped", -1, false, policy.NewPool(policy.PerCPU, 1, 1))
	p.mb.seal()
	q.table.Store(&table{shares: []*share{newShare(q, p, 0)}, route: make([]uint16, s.cpus[len(s.cpus)-1]+1)})
	return q
}

// QueueNode queues an item on a CPU of a memory node: on the caller's, if that is
// one of them, else on the first; on any, if the node has none. (kernel:
// queue_work_node)
func (q *Queue) QueueNode(node int, it *messages.Item, f func(*messages.Context) error, chained bool) error {
	if (q.opts.Kind == PerCPU || q.opts.Kind == BH) && q.warnOnce(nodeWarned) {
		q.sys.log.Warn("QueueNode is for queues whose pools have several CPUs", "queue", q.name)
	}
	t := q.sys.opts.Topology
	cpu := q.sys.cpus[near(len(q.sys.cpus))]
	if t.Node(cpu) != node {
		if cpu = t.FirstCPU(node); cpu < 0 {
			return q.Queue(it, f, chained)
		}
	}
	return q.QueueOn(cpu, it, f, chained)
}
