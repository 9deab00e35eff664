package cmwq

import (
	"context"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
)

// Work is a work item that may be queued again and again. The zero Work with Func
// set is ready. It must not be copied after its first use.
//
// Its methods are safe for concurrent use. Func is read by Queue and its like, and by
// Modify, which gives it to a pending item; do not change it while another goroutine
// may call them.
type Work struct {
	// Func is called by a worker. What it returns, if not nil, is a failure: it
	// is counted and reported; so is a panic (*PanicError) and a
	// runtime.Goexit (ErrGoexit).
	Func func(*Context) error

	item messages.Item
}

// NewWork gives an item.
func NewWork(f func(*Context) error) *Work { return &Work{Func: f} }

// Cancel takes w off its queue, or off the timer, and says whether it was
// pending. An execution goes on. (kernel: cancel_work)
func (w *Work) Cancel() bool { return actors.Cancel(&w.item) }

// CancelWait takes w off its queue, cancels the context of an execution, and
// waits for it to end; meanwhile w cannot be queued (ErrDisabled). wasPending is
// false if it only ran. Only after it may w be freed or used for something else; a
// lock that w's function takes must not be held. When ctx ends first it returns
// context.Cause(ctx), and the execution goes on.
//
// An item passes its own context, or one derived from it: then another worker
// starts while it waits, and a wait that would never end is a *DeadlockError at
// once, as that for itself: then nothing was cancelled. So do Disable and Flush.
// (kernel: cancel_work_sync)
func (w *Work) CancelWait(ctx context.Context) (wasPending bool, err error) {
	if err := messages.MayWait(ctx); err != nil {
		return false, err
	}
	return actors.CancelWait(ctx, &w.item)
}

// Disable is CancelWait, and w stays disabled until Enable was called as often.
// When ctx ends while an execution goes on, or w calls it for itself, w is disabled
// all the same. ErrDepth after 65535 times. (kernel: disable_work_sync)
func (w *Work) Disable(ctx context.Context) (wasPending bool, err error) {
	if err := messages.MayWait(ctx); err != nil {
		return false, err
	}
	return actors.Disable(ctx, &w.item)
}

// Enable undoes one Disable, and says how many are left. It queues nothing.
// ErrEnabled, and nothing happens, if w is not disabled. (kernel: enable_work)
func (w *Work) Enable() (left int, err error) { return actors.Enable(&w.item) }

// Init makes w as new, with f for its function: however often it was disabled, it is
// enabled. ErrBusy, and nothing happens, if w is pending or runs; an item may not do
// it to itself. Nobody else may use w meanwhile. (kernel: INIT_WORK)
func (w *Work) Init(f func(*Context) error) error {
	if !actors.Init(&w.item) {
		return ErrBusy
	}
	w.Func = f
	return nil
}

// Flush waits until the last queued instance of w has ended; an armed w is queued
// at once. What is queued later is not waited for. *DeadlockError inside an item
// that w, or what w waits for, cannot go on without.
// (kernel: flush_work, flush_delayed_work)
func (w *Work) Flush(ctx context.Context) error {
	if err := messages.MayWait(ctx); err != nil {
		return err
	}
	return actors.Flush(ctx, &w.item)
}

// Busy says what w is doing at this moment, which may have passed.
// (kernel: work_busy)
func (w *Work) Busy() Busy {
	s := w.item.State()
	return Busy{
		Pending:  s&messages.Pending != 0,
		Running:  s&messages.Running != 0,
		Disabled: s.Depth() > 0,
	}
}

// Busy is what an item is doing.
type Busy struct {
	Pending  bool // queued or armed
	Running  bool
	Disabled bool
}

// Item gives w to the engine: messages that name a Work take it so. Of a nil Work there is
// none.
func (w *Work) Item() (*messages.Item, func(*Context) error) {
	if w == nil {
		return nil, nil
	}
	return &w.item, w.Func
}

var _ messages.Work = (*Work)(nil)
