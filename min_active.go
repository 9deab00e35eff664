package cmwq

import (
	"fmt"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
)

// MinActive promises that n items of the queue may execute at a time on each
// memory node, or MaxActive if that is less, and divides MaxActive over the nodes
// by their CPUs: no node takes slots of another, and all together may exceed
// MaxActive where a node's part would be less than n. Without it MaxActive is one
// exact limit for all nodes. Not for per-CPU (ErrPerCPU) and ordered queues
// (ErrOrdered). (kernel: min_active, wq_update_node_max_active)
func MinActive(n int) QueueOption { return func(o *queueOptions) { o.MinActive = n } }

func (o *queueOptions) checkMin() error {
	switch {
	case o.MinActive < 0:
		return fmt.Errorf("%w: MinActive(%d)", messages.ErrOption, o.MinActive)
	case o.MinActive > 0 && o.Kind == actors.PerCPU:
		return messages.ErrPerCPU
	case o.MinActive > 0 && o.Kind == actors.Ordered:
		return messages.ErrOrdered
	}
	return nil
}

// SetMinActive changes MinActive while work flows; 0 makes MaxActive one limit for
// all nodes. ErrOption if n is negative, ErrPerCPU, ErrOrdered, ErrSystemQueue. Raising it starts
// waiting items; lowering it stops none. (kernel: workqueue_set_min_active)
func (q *Queue) SetMinActive(n int) error { return q.q.SetMinActive(n) }
