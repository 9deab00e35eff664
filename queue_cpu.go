package cmwq

import (
	"time"

	"github.com/cmwq/cmwq/messages"
)

// QueueAfterOn is QueueAfter, for the pool of a logical CPU. ErrCPU if there is no
// such CPU. (kernel: queue_delayed_work_on)
func (q *Queue) QueueAfterOn(cpu int, d time.Duration, w *Work) error {
	to, err := number(cpu)
	if err != nil {
		return err
	}
	return q.q.QueueAfter(d, to, &w.item, w.Func, q.chained)
}

// ModifyOn is Modify, for the pool of a logical CPU: wherever w was to go before,
// it goes there. ErrCPU if there is no such CPU; w is then left as it was.
// (kernel: mod_delayed_work_on)
func (q *Queue) ModifyOn(cpu int, d time.Duration, w *Work) (wasPending bool, err error) {
	to, err := number(cpu)
	if err != nil {
		return false, err
	}
	return q.q.Modify(d, to, &w.item, w.Func, q.chained)
}

// number keeps a caller's CPU apart from the number that stands for any.
func number(cpu int) (int, error) {
	if cpu < 0 || cpu >= messages.AnyCPU {
		return 0, ErrCPU
	}
	return cpu, nil
}

// QueueNode is Queue for a pool of a memory node: that of the caller's CPU, if it
// belongs to the node, else that of the node's first CPU. A node without CPUs stands
// for any. Where the caller runs is known roughly, as Go does not say. On a PerCPU
// queue it warns, once: name a CPU there. (kernel: queue_work_node)
func (q *Queue) QueueNode(node int, w *Work) error {
	return q.q.QueueNode(node, &w.item, w.Func, q.chained)
}

// Congested says whether items of the queue wait for a slot of MaxActive on the pool
// of a logical CPU: then one more would wait, too. It may have changed by the time
// the caller looks at the answer. False for a CPU that does not exist. It costs a
// load, and the pool is not asked. (kernel: workqueue_congested)
func (q *Queue) Congested(cpu int) bool { return q.q.Congested(cpu) }

// Pending says whether w is queued or armed at this moment. (kernel: work_pending)
func (w *Work) Pending() bool { return w.item.State()&messages.Pending != 0 }
