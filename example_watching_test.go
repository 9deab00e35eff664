package cmwq_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/cmwq/cmwq"
)

// Failures go to a function of one's own; else they are logged.
func ExampleWithOnFailure() {
	failed := make(chan string, 2)
	sys, err := cmwq.New(cmwq.WithOnFailure(func(queue string, err error) {
		if p, ok := errors.AsType[*cmwq.PanicError](err); ok {
			failed <- fmt.Sprint(queue, " panicked: ", p.Value)
			return
		}
		failed <- fmt.Sprint(queue, ": ", err)
	}))
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("mail", cmwq.Ordered())
	_ = q.Go(func(*cmwq.Context) error { return errors.New("no route") })
	_ = q.Go(func(*cmwq.Context) error { panic("no stamp") })
	fmt.Println(<-failed)
	fmt.Println(<-failed)
	// Output:
	// mail: no route
	// mail panicked: no stamp
}

// A queue's numbers, at any time.
func ExampleQueue_Stats() {
	sys, err := cmwq.New(cmwq.WithOnFailure(func(string, error) {}))
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("thumbnails", cmwq.MaxActive(2))
	hold, entered := make(chan struct{}), make(chan struct{}, 5)
	for i := range 5 {
		_ = q.Go(func(ctx *cmwq.Context) error {
			entered <- struct{}{}
			ctx.Block(func() { <-hold })
			if i == 0 {
				return errors.New("not an image")
			}
			return nil
		})
	}
	<-entered
	<-entered
	st, err := q.Stats(context.Background())
	fmt.Println(st.Total, "started,", st.InFlight, "run,", st.Inactive, "wait for a slot of", st.MaxActive, err)
	close(hold)
	_ = q.Flush(context.Background())
	st, _ = q.Stats(context.Background())
	fmt.Println(st.Total, "started,", st.InFlight, "run,", st.Failed, "failed")
	// Output:
	// 2 started, 2 run, 3 wait for a slot of 2 <nil>
	// 5 started, 0 run, 1 failed
}

// A limit may be changed while work waits for it.
func ExampleQueue_SetMaxActive() {
	sys, q := example()
	defer sys.Stop(context.Background())
	fmt.Println(q.SetMaxActive(1))
	hold, entered := make(chan struct{}), make(chan struct{}, 3)
	for range 3 {
		_ = q.Go(func(ctx *cmwq.Context) error { entered <- struct{}{}; ctx.Block(func() { <-hold }); return nil })
	}
	<-entered
	fmt.Println(q.SetMaxActive(3)) // the others start at once
	<-entered
	<-entered
	close(hold)
	fmt.Println(sys.Default().SetMaxActive(1))
	// Output:
	// <nil>
	// <nil>
	// cmwq: a system queue is everybody's: it cannot be changed, drained or destroyed
}

// A Snapshot is what Dump writes, to be looked at by the program.
func ExampleSystem_Snapshot() {
	sys, q := example()
	defer sys.Stop(context.Background())
	w := cmwq.NewWork(resize)
	_ = q.QueueOn(0, w)
	for !w.Busy().Running {
		time.Sleep(time.Millisecond)
	}
	snap, err := sys.Snapshot(context.Background())
	if err != nil {
		panic(err)
	}
	for _, q := range snap.Queues {
		for _, share := range q.Shares {
			for _, x := range share.InFlight {
				fmt.Println(q.Name, regexp.MustCompile(`[^/]*$`).FindString(x.Func), x.Desc)
			}
		}
	}
	_, _ = w.CancelWait(context.Background())
	// Output: example cmwq_test.resize cat.png
}

// A function that holds a CPU again and again is named in the log. TouchWatchdog says
// that a long one is no stall.
func ExampleWithHogReport() {
	logged := make(chan string, 100)
	sys, err := cmwq.New(cmwq.WithHogReport(1), cmwq.WithHogThreshold(time.Millisecond),
		cmwq.WithLogger(slog.New(slog.NewTextHandler(lines(logged), nil))))
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("maths", cmwq.PerCPU())
	defer busyCPUs()()          // beside idle CPUs what holds one is taken for asleep
	for told := false; !told; { // a hog is found when work waits behind it
		_ = q.QueueOn(0, cmwq.NewWork(factorise))
		_ = q.QueueOn(0, cmwq.NewWork(upload))
		_ = q.Flush(context.Background())
		sys.TouchWatchdog()
		select {
		case line := <-logged:
			if hog := regexp.MustCompile(`func=\S*/(\S+)`).FindStringSubmatch(line); hog != nil {
				fmt.Println(hog[1])
				told = true
			}
		default:
		}
	}
	// Output: cmwq_test.factorise
}

// busyCPUs keeps every CPU busy until stop is called.
func busyCPUs() (stop func()) {
	var over atomic.Bool
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for !over.Load() {
			}
		}()
	}
	return func() { over.Store(true) }
}

func factorise(*cmwq.Context) error {
	for end := time.Now().Add(20 * time.Millisecond); time.Now().Before(end); {
	}
	return nil
}
