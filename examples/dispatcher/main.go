// Command dispatcher runs actors whose Receive blocks as items of a queue.
//
// A shop has an actor for each order. Packing one means to read from a disk, which
// blocks, and to ask the stock, another actor: with protoactor's dispatcher a thousand
// orders would be a thousand goroutines at the disk. Here they are items of the queue
// "packing", of which 8 may be at it at a time, and the queue "mail" next to it goes on
// whatever the disk does.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cmwq/cmwq"
)

const (
	orders  = 200
	packers = 8
)

// take asks the stock for a piece, and pack an order to be packed.
type (
	take struct{ order int }
	pack struct{ order int }
)

// shop is what the actors share.
type shop struct {
	stock *actor.PID
	mails *cmwq.Pipe
	done  sync.WaitGroup // an order is packed, and its mail is sent
	in    atomic.Int32   // orders that are being packed
	most  atomic.Int32
}

// receive is an order's actor.
func (s *shop) receive(c actor.Context) {
	m, ok := c.Message().(pack)
	if !ok {
		return
	}
	for n, most := s.in.Add(1), s.most.Load(); n > most && !s.most.CompareAndSwap(most, n); most = s.most.Load() {
	}
	defer s.in.Add(-1)
	ctx, ok := cmwq.FromActor(c) // the item that this actor runs as
	if !ok {                     // the queue has refused the actor: not in this program
		s.done.Done()
		return
	}
	ctx.Block(func() { time.Sleep(2 * time.Millisecond) }) // the disk
	piece, err := cmwq.Request[string](ctx, s.stock, take(m))
	if err != nil {
		slog.Error("not packed", "order", m.order, "err", err)
		s.done.Done()
		return
	}
	_ = s.mails.Go(func(*cmwq.Context) error {
		if m.order == orders-1 {
			return fmt.Errorf("order %d, %s: no address", m.order, piece)
		}
		return nil
	})
}

func run(out io.Writer) error {
	quiet := slog.New(slog.DiscardHandler)
	as := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return quiet }))
	defer as.Shutdown()
	sys, err := cmwq.Start(as, cmwq.WithOnFailure(func(string, error) {})) // the postman is told
	if err != nil {
		return err
	}
	packing, err := sys.NewQueue("packing", cmwq.MaxActive(packers))
	if err != nil {
		return err
	}
	mail, err := sys.NewQueue("mail")
	if err != nil {
		return err
	}

	var s shop
	var pieces atomic.Int32
	s.stock = as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		if m, ok := c.Message().(take); ok {
			pieces.Add(1)
			c.Respond(fmt.Sprintf("piece %d", m.order))
		}
	}))
	var sent, returned atomic.Int32
	postman := as.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		m, ok := c.Message().(*cmwq.Done)
		if !ok {
			return
		}
		if m.Err != nil {
			returned.Add(1)
		} else {
			sent.Add(1)
		}
		s.done.Done()
	}))
	s.mails = cmwq.Piped(mail, postman)

	order := actor.PropsFromFunc(s.receive, cmwq.OnQueue(packing))
	for i := range orders {
		s.done.Add(1)
		as.Root.Send(as.Root.Spawn(order), pack{i})
	}
	s.done.Wait()
	fmt.Fprintf(out, "%d orders packed, %d mails sent, %d returned\n", pieces.Load(), sent.Load(), returned.Load())
	fmt.Fprintf(out, "at most %d at the disk: %v\n", packers, s.most.Load() <= packers)
	return sys.Stop(context.Background())
}

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
