package cmwq_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"github.com/cmwq/cmwq"
)

// answerer keeps the senders of what it is asked, and answers when it is told to.
type answerer struct {
	pid   *actor.PID
	asked chan *actor.PID
}

func newAnswerer(t *testing.T, as *actor.ActorSystem) *answerer {
	a := &answerer{asked: make(chan *actor.PID, 100)}
	a.pid = as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		if _, ok := c.Message().(string); ok {
			a.asked <- c.Sender()
		}
	}))
	return a
}

func TestRequestIsADeclaredSleep(t *testing.T) {
	for name, derive := range derivations {
		t.Run(name, func(t *testing.T) {
			actorBubble(t, 1, func(t *testing.T, as *actor.ActorSystem, sys *cmwq.System) {
				q := queue(t, sys, "q", cmwq.PerCPU())
				a := newAnswerer(t, as)
				asks := cmwq.Submit(q, func(ctx *cmwq.Context) (int, error) {
					return cmwq.Request[int](derive(ctx), a.pid, "x")
				})
				from := <-a.asked
				at := since()
				require.NoError(t, do(t, q, func(*cmwq.Context) error { return nil }))
				require.Zero(t, at(), "the other item of the CPU did not wait")
				select {
				case <-asks.Done():
					t.Error("nobody has answered")
				default:
				}
				as.Root.Send(from, 7)
				as.Root.Send(from, 8) // one answer is enough
				got, err := asks.Wait(bg)
				require.NoError(t, err)
				require.Equal(t, 7, got)
				as.Root.Stop(a.pid)
			})
		})
	}
}

type someKey struct{}

// derivations are ways to have an item's context.
var derivations = map[string]func(*cmwq.Context) context.Context{
	"own":     func(ctx *cmwq.Context) context.Context { return ctx },
	"derived": func(ctx *cmwq.Context) context.Context { return context.WithValue(ctx, someKey{}, "v") },
}

func TestRequestEndsWithItsItem(t *testing.T) {
	for name, derive := range derivations {
		t.Run(name, func(t *testing.T) {
			actorBubble(t, 1, func(t *testing.T, as *actor.ActorSystem, sys *cmwq.System) {
				q := queue(t, sys, "q")
				a := newAnswerer(t, as)
				errs := make(chan error, 2)
				w := cmwq.NewWork(func(ctx *cmwq.Context) error {
					for range 2 { // the second is not sent
						_, err := cmwq.Request[int](derive(ctx), a.pid, "x")
						errs <- err
					}
					return nil
				})
				require.NoError(t, q.Queue(w))
				late := <-a.asked
				_, err := w.CancelWait(bg)
				require.NoError(t, err)
				require.ErrorIs(t, <-errs, cmwq.ErrCancelled)
				require.ErrorIs(t, <-errs, cmwq.ErrCancelled)
				require.Empty(t, a.asked)

				asks := cmwq.Submit(q, func(ctx *cmwq.Context) (int, error) { return cmwq.Request[int](ctx, a.pid, "x") })
				now := <-a.asked
				as.Root.Send(late, 1)
				synctest.Wait()
				as.Root.Send(now, 2)
				got, err := asks.Wait(bg)
				require.NoError(t, err)
				require.Equal(t, 2, got, "the late answer was for the item before")
				as.Root.Stop(a.pid)
			})
		})
	}
}

func TestRequestWithATimeout(t *testing.T) {
	actorBubble(t, 1, func(t *testing.T, as *actor.ActorSystem, sys *cmwq.System) {
		q := queue(t, sys, "q")
		a := newAnswerer(t, as)
		at := since()
		require.NoError(t, do(t, q, func(ctx *cmwq.Context) error {
			tctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			_, err := cmwq.Request[int](tctx, a.pid, "x")
			require.ErrorIs(t, err, context.DeadlineExceeded)
			return nil
		}))
		require.Equal(t, 1000, at())
		as.Root.Stop(a.pid)
	})
}

// An actor that stops leaves what is in its mailbox, and says nothing.
func TestRequestToAnActorThatEnds(t *testing.T) {
	for name, derive := range derivations {
		t.Run(name, func(t *testing.T) {
			actorBubble(t, 1, func(t *testing.T, as *actor.ActorSystem, sys *cmwq.System) {
				q := queue(t, sys, "q")
				open := make(chan struct{})
				pid := as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
					if _, ok := c.Message().(string); ok {
						<-open
					}
				}))
				for _, after := range []time.Duration{time.Millisecond, time.Second} {
					at := since()
					asks := cmwq.Submit(q, func(ctx *cmwq.Context) (int, error) {
						as.Root.Send(pid, "hold")
						return cmwq.Request[int](derive(ctx), pid, "x")
					})
					time.Sleep(after)
					as.Root.Stop(pid)
					open <- struct{}{}
					_, err := asks.Wait(bg)
					require.ErrorIs(t, err, cmwq.ErrNoActor)
					require.LessOrEqual(t, at(), int(after/time.Millisecond)+10)
					pid = as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
						if _, ok := c.Message().(string); ok {
							<-open
						}
					}))
				}
				as.Root.Stop(pid)
			})
		})
	}
}
