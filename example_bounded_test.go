package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cmwq/cmwq"
)

// At most two items may wait: what is beyond is refused, or waits for room.
func ExampleBounded() {
	sys, _ := example()
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("uploads", cmwq.Ordered(), cmwq.Bounded(2, cmwq.Refuse))
	begun, release := make(chan struct{}), make(chan struct{})
	upload := func(ctx *cmwq.Context) error { ctx.Block(func() { <-release }); return nil }
	_ = q.Go(func(ctx *cmwq.Context) error { close(begun); return upload(ctx) })
	<-begun // it does not wait any more
	fmt.Println(q.Go(upload), q.Go(upload))
	fmt.Println(q.Go(upload))
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	fmt.Println(q.GoContext(ctx, upload))
	close(release)
	fmt.Println(q.GoContext(context.Background(), upload))
	// Output:
	// <nil> <nil>
	// cmwq: queue is full
	// context deadline exceeded
	// <nil>
}

// Only the newest positions are of interest.
func ExampleDropOldest() {
	sys, _ := example()
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("positions", cmwq.Ordered(), cmwq.Bounded(1, cmwq.DropOldest))
	begun, release := make(chan struct{}), make(chan struct{})
	_ = q.Go(func(ctx *cmwq.Context) error {
		close(begun)
		ctx.Block(func() { <-release })
		return nil
	})
	<-begun
	first := cmwq.Submit(q, func(*cmwq.Context) (string, error) { return "first", nil })
	second := cmwq.Submit(q, func(*cmwq.Context) (string, error) { return "second", nil })
	_, err := first.Wait(context.Background())
	fmt.Println(errors.Is(err, cmwq.ErrDropped))
	close(release)
	fmt.Println(second.Wait(context.Background()))
	// Output:
	// true
	// second <nil>
}

func ExampleSubmitContext() {
	sys, _ := example()
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("sums", cmwq.Bounded(1, cmwq.Refuse))
	var sums []*cmwq.Future[int]
	for i := range 4 { // no more than one waits at a time
		sums = append(sums, cmwq.SubmitContext(context.Background(), q, func(*cmwq.Context) (int, error) { return i + i, nil }))
	}
	for _, s := range sums {
		fmt.Println(s.Wait(context.Background()))
	}
	// Output:
	// 0 <nil>
	// 2 <nil>
	// 4 <nil>
	// 6 <nil>
}
