package cmwq_test

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq"
)

// BenchmarkDispatcher is what a message costs: there and back between two actors,
// and one of many to one actor.
func BenchmarkDispatcher(b *testing.B) {
	as, sys := startActors(b)
	q := queue(b, sys, "actors")
	for _, d := range []struct {
		name string
		opt  actor.PropsOption
	}{
		{"protoactor", actor.WithDispatcher(actor.NewDefaultDispatcher(300))},
		{"synchronized", actor.WithDispatcher(actor.NewSynchronizedDispatcher(300))},
		{"cmwq", actor.WithDispatcher(cmwq.Dispatcher(q))},
		{"onqueue", cmwq.OnQueue(q)},
	} {
		b.Run("pingpong/"+d.name, func(b *testing.B) { benchPingPong(b, as, d.opt) })
		b.Run("flood/"+d.name, func(b *testing.B) { benchFlood(b, as, d.opt) })
	}
}

type ball struct{ to, from *actor.PID }

func benchPingPong(b *testing.B, as *actor.ActorSystem, opt actor.PropsOption) {
	done := make(chan struct{})
	pong := spawn(b, as, func(c actor.Context) {
		if m, ok := c.Message().(*ball); ok {
			c.Send(m.from, m)
		}
	}, opt)
	n := 0
	ping := spawn(b, as, func(c actor.Context) {
		if m, ok := c.Message().(*ball); ok {
			if n++; n > b.N {
				close(done)
				return
			}
			c.Send(m.to, m)
		}
	}, opt)
	b.ReportAllocs()
	b.ResetTimer()
	as.Root.Send(ping, &ball{to: pong, from: ping})
	<-done
}

func benchFlood(b *testing.B, as *actor.ActorSystem, opt actor.PropsOption) {
	done := make(chan struct{})
	n := 0
	pid := spawn(b, as, func(c actor.Context) {
		if _, ok := c.Message().(*ball); ok {
			if n++; n == b.N {
				close(done)
			}
		}
	}, opt)
	b.ReportAllocs()
	b.ResetTimer()
	m := new(ball)
	for range b.N {
		as.Root.Send(pid, m)
	}
	<-done
}

// BenchmarkRequest is an item that asks an actor, which answers on the item's own
// goroutine, on protoactor's, or on a queue.
func BenchmarkRequest(b *testing.B) {
	as, sys := startActors(b)
	q := queue(b, sys, "actors")
	for name, opt := range map[string]actor.PropsOption{
		"synchronized": actor.WithDispatcher(actor.NewSynchronizedDispatcher(300)),
		"protoactor":   actor.WithDispatcher(actor.NewDefaultDispatcher(300)),
		"cmwq":         actor.WithDispatcher(cmwq.Dispatcher(q)),
	} {
		b.Run(name, func(b *testing.B) {
			pid := spawn(b, as, func(c actor.Context) {
				if m, ok := c.Message().(*ball); ok {
					c.Respond(m)
				}
			}, opt)
			b.ReportAllocs()
			b.ResetTimer()
			_ = do(b, q, func(ctx *cmwq.Context) error {
				m := new(ball)
				for range b.N {
					if _, err := ctx.Request(pid, m); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
}
