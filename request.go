package cmwq

import (
	"context"
	"reflect"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
)

// What an item hears of actors that it asks.
var (
	ErrNoActor = messages.ErrNoActor // nobody has the PID, or it ended before it answered
	ErrNoItem  = messages.ErrNoItem  // the context is not that of an item that runs
)

// ReplyError says that an answer is not of the type that was asked for. It wraps the
// answer if that is an error.
type ReplyError = messages.ReplyError

// Request is ctx.Request for an answer of type T; another one is a *ReplyError. ctx
// is the item's context, which is cheapest, or one that comes from it: then it may
// end the wait earlier, and goroutines of the item may ask at the same time.
// ErrNoItem if ctx has nothing to do with an item, or that has ended.
//
//	ctx, cancel := context.WithTimeout(ctx, time.Second)
//	defer cancel()
//	price, err := cmwq.Request[Price](ctx, shop, GetPrice{"ham"})
func Request[T any](ctx context.Context, pid *actor.PID, msg any) (T, error) {
	m, err := actors.Request(ctx, pid, msg)
	v, ok := m.(T)
	if err == nil && !ok {
		return v, &ReplyError{Want: reflect.TypeFor[T]().String(), Got: m}
	}
	return v, err
}
