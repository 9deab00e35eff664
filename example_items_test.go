package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cmwq/cmwq"
)

// Cancel takes off what waits; CancelWait waits for what runs, too; Flush runs what is
// armed now.
func ExampleWork_Cancel() {
	sys, q := example()
	defer sys.Stop(context.Background())
	w := cmwq.NewWork(func(*cmwq.Context) error { fmt.Println("ran"); return nil })
	_ = q.QueueAfter(time.Hour, w)
	fmt.Println(w.Cancel(), w.Cancel())
	_ = q.QueueAfter(time.Hour, w)
	fmt.Println(w.Busy().Pending)
	fmt.Println(w.Flush(context.Background()))
	// Output:
	// true false
	// true
	// ran
	// <nil>
}

// Init makes an item as new, if nobody has it.
func ExampleWork_Init() {
	sys, q := example()
	defer sys.Stop(context.Background())
	w := cmwq.NewWork(func(*cmwq.Context) error { return nil })
	_ = q.QueueAfter(time.Hour, w)
	fmt.Println(w.Init(w.Func))
	_, _ = w.Disable(context.Background())
	fmt.Println(q.Queue(w))
	fmt.Println(w.Init(func(*cmwq.Context) error { fmt.Println("as new"); return nil }))
	_ = q.Queue(w)
	_ = w.Flush(context.Background())
	// Output:
	// cmwq: work is pending or runs
	// cmwq: work is disabled
	// <nil>
	// as new
}

// A result that nobody wants any more.
func ExampleFuture_Cancel() {
	sys, q := example()
	defer sys.Stop(context.Background())
	_ = q.SetMaxActive(1)
	hold := make(chan struct{})
	_ = q.Go(func(ctx *cmwq.Context) error { ctx.Block(func() { <-hold }); return nil })
	sum := cmwq.Submit(q, func(*cmwq.Context) (int, error) { return 1 + 1, nil })
	fmt.Println(sum.Cancel())
	_, err := sum.Wait(context.Background())
	fmt.Println(err)
	close(hold)
	<-sum.Done()
	// Output:
	// true
	// cmwq: work was cancelled
}

// Each instant comes up to a second late, so that many series do not start at once;
// the schedule itself stays as it is.
func ExampleJitter() {
	sys, q := example()
	defer sys.Stop(context.Background())
	w := cmwq.NewWork(func(*cmwq.Context) error { return nil })
	begun := time.Now()
	s, err := q.Every(cmwq.Interval(time.Minute), w, cmwq.Jitter(time.Second))
	late := s.Stats().Next.Sub(begun.Add(time.Minute))
	fmt.Println(err, late < 2*time.Second, late > -time.Second)
	_, err = q.Every(cmwq.Interval(time.Minute), w, cmwq.Jitter(time.Hour))
	fmt.Println(errors.Is(err, cmwq.ErrOption))
	// Output:
	// <nil> true true
	// true
}

// Every instant is a run, or is missed.
func ExampleSeries_Stats() {
	sys, q := example()
	defer sys.Stop(context.Background())
	var s *cmwq.Series
	made := make(chan struct{})
	w := cmwq.NewWork(func(ctx *cmwq.Context) error {
		<-made
		s.Stop() // from its own item
		return nil
	})
	s, err := q.Every(cmwq.Interval(time.Hour), w, cmwq.FirstNow(), cmwq.OnCPU(0))
	close(made)
	fmt.Println(err)
	<-s.Done()
	st := s.Stats()
	fmt.Println(st.Runs, st.Missed, st.Owed, st.Next.IsZero(), s.Err())
	// Output:
	// <nil>
	// 1 0 0 true cmwq: work was cancelled
}
