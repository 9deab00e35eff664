package cmwq

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/internal/policy"
	"github.com/cmwq/cmwq/messages"
)

// ViewOption says what else travels with the items of a View, beside values.
type ViewOption func(*viewOptions)

type viewOptions struct {
	cancel, deadline bool
	limits           policy.TimeLimits
}

// FollowCancel has an item end with its submitter: when the submitter's context is
// cancelled, that of an item which runs is cancelled with the same cause, and one that
// waits is not called and fails with ErrCancelled and that cause. A submitter that has
// been cancelled queues nothing: its cause is the error. It includes FollowDeadline.
//
// The context of an item that submits ends with that item.
func FollowCancel() ViewOption { return func(o *viewOptions) { o.cancel = true } }

// FollowDeadline gives an item its submitter's deadline: one that has not begun by then
// fails as after WaitAtMost, one that runs as after RunAtMost. Nothing is queued after
// the deadline: the error is context.DeadlineExceeded.
func FollowDeadline() ViewOption { return func(o *viewOptions) { o.deadline = true } }

// WaitAtMost is MaxWait for the items of a View. The shorter of both holds. It counts from
// the call, or from when an armed item is due: a wait for room in a bounded queue is a
// part of it.
func WaitAtMost(d time.Duration) ViewOption { return func(o *viewOptions) { o.limits.Wait = d } }

// RunAtMost is MaxRun for the items of a View. The shorter of both holds.
func RunAtMost(d time.Duration) ViewOption { return func(o *viewOptions) { o.limits.Run = d } }

// ContextWithLogger gives a context that carries l: ctx.Logger of an item that is queued
// with it, by way of Queue.With, is based on l.
func ContextWithLogger(ctx context.Context, l *slog.Logger) context.Context {
	return context.WithValue(ctx, messages.LoggerKey{}, l)
}

// carrier makes what travels with the items of a view.
type carrier struct {
	c   *actors.Carry
	sys *actors.System
	err error // the view's options are not valid
}

func newCarrier(ctx context.Context, q *actors.Queue, opts []ViewOption) carrier {
	var o viewOptions
	for _, set := range opts {
		set(&o)
	}
	if ctx == nil || o.limits.Wait < 0 || o.limits.Run < 0 {
		return carrier{err: fmt.Errorf("%w: With(%v), WaitAtMost(%v), RunAtMost(%v)", ErrOption, ctx, o.limits.Wait, o.limits.Run)}
	}
	return carrier{c: q.NewCarry(ctx, o.cancel, o.deadline, o.limits), sys: q.System()}
}

// wrap gives f what travels with it, if it is to be queued after d.
func (v *carrier) wrap(f func(*Context) error, d time.Duration) (func(*Context) error, error) {
	if v.err != nil || f == nil {
		return nil, v.err // without a function the queue says so
	}
	if err := v.c.Over(v.sys.Now()); err != nil {
		return nil, err
	}
	return v.c.Wrap(f, v.sys.Now()+max(0, d)), nil
}

func (v *carrier) carry() *actors.Carry { return v.c }
