package cmwq

import "time"

// QueueOn is Queue.QueueOn.
func (v *View) QueueOn(cpu int, w *Work) error {
	f, err := v.wrap(w.Func, 0)
	if err != nil {
		return err
	}
	return v.q.q.QueueOn(cpu, &w.item, f, v.q.chained)
}

// QueueNode is Queue.QueueNode.
func (v *View) QueueNode(node int, w *Work) error {
	f, err := v.wrap(w.Func, 0)
	if err != nil {
		return err
	}
	return v.q.q.QueueNode(node, &w.item, f, v.q.chained)
}

// QueueAfterOn is Queue.QueueAfterOn.
func (v *View) QueueAfterOn(cpu int, d time.Duration, w *Work) error {
	to, err := number(cpu)
	if err != nil {
		return err
	}
	f, err := v.wrap(w.Func, d)
	if err != nil {
		return err
	}
	return v.q.q.QueueAfter(d, to, &w.item, f, v.q.chained)
}

// ModifyOn is Queue.ModifyOn.
func (v *View) ModifyOn(cpu int, d time.Duration, w *Work) (wasPending bool, err error) {
	to, err := number(cpu)
	if err != nil {
		return false, err
	}
	f, err := v.wrap(w.Func, d)
	if err != nil {
		return false, err
	}
	return v.q.q.Modify(d, to, &w.item, f, v.q.chained)
}
