package cmwq_test

import (
	"context"
	"fmt"

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
