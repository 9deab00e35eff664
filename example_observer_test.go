package cmwq_test

import (
	"context"
	"fmt"
	"time"

	"github.com/cmwq/cmwq"
)

// printer prints what happens to items.
type printer struct{}

func (printer) Observe(e cmwq.Event) {
	fmt.Println(e.Kind, "on", e.Queue, e.Err)
}

// Kinds makes it choosy: of workers it is told nothing, which then costs nothing.
func (printer) Kinds() cmwq.EventKinds {
	return cmwq.KindsOf(cmwq.EventQueue, cmwq.EventStart, cmwq.EventEnd, cmwq.EventCancel)
}

// first hears of the starts of one item.
type first struct {
	of      cmwq.ItemID
	started chan cmwq.Event
}

func (f *first) Kinds() cmwq.EventKinds { return cmwq.KindsOf(cmwq.EventStart) }

// Observe does not wait for anybody: there is room for what it sends.
func (f *first) Observe(e cmwq.Event) {
	if e.Item == f.of {
		f.started <- e
	}
}

// All events of one Work have its ID.
func ExampleWork_ID() {
	w := cmwq.NewWork(func(*cmwq.Context) error { return nil })
	seen := &first{of: w.ID(), started: make(chan cmwq.Event, 1)}
	sys, err := cmwq.New(cmwq.WithObserver(seen))
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("reports", cmwq.Unbound())
	_ = q.Go(func(*cmwq.Context) error { return nil }) // of no interest
	_ = q.Queue(w)
	e := <-seen.started
	fmt.Println(e.Kind, "on", e.Queue, "attempt", e.Attempt)
	fmt.Println("waited for less than a minute:", e.Wait < time.Minute)
	// Output:
	// start on reports attempt 1
	// waited for less than a minute: true
}

func ExampleWithObserver() {
	sys, err := cmwq.New(cmwq.WithObserver(printer{}))
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("mail", cmwq.Ordered())
	begun, open := make(chan struct{}), make(chan struct{})
	_ = q.Go(func(*cmwq.Context) error { close(begun); <-open; return nil })
	<-begun
	second := cmwq.NewWork(func(*cmwq.Context) error { return nil })
	_ = q.Queue(second)
	second.Cancel()
	close(open)
	_ = q.Flush(context.Background())
	// Output:
	// queue on mail <nil>
	// start on mail <nil>
	// queue on mail <nil>
	// cancel on mail cmwq: work was cancelled
	// end on mail <nil>
}
