package cmwq_test

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/pprof"
	"time"

	"github.com/cmwq/cmwq"
)

// download waits for a server that never answers.
func download(ctx *cmwq.Context) error {
	answer := make(chan string)
	select {
	case <-answer:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Where everything is that runs, and what it is blocked in.
func ExampleSystem_Diagnose() {
	sys, q := example()
	defer sys.Stop(context.Background())
	w := cmwq.NewWork(download)
	_ = q.Queue(w)
	for {
		d, err := sys.Diagnose(context.Background())
		if err != nil {
			panic(err)
		}
		if len(d.Items) == 1 && d.Items[0].Where != nil && d.Items[0].Where.Blocked() {
			at := d.Items[0].Where
			fmt.Println(d.Items[0].Queue, "is blocked in", at.State, "at", filepath.Base(at.File), at.Line)
			break
		}
		time.Sleep(time.Millisecond)
	}
	_, _ = w.CancelWait(context.Background())
	// Output: example is blocked in select at example_diagnose_test.go 16
}

// A program that would rather be started again than stand still.
func ExampleWithOnStall() {
	stalled := make(chan cmwq.Stall, 1)
	sys, err := cmwq.New(cmwq.WithWatchdog(50*time.Millisecond), silent(), cmwq.WithOnStall(func(s cmwq.Stall) {
		if s.Reports == 3 || s.Hung > time.Hour {
			stalled <- s // os.Exit(2)
		}
	}))
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())
	q, err := sys.NewQueue("rx", cmwq.BH())
	if err != nil {
		panic(err)
	}
	w := cmwq.NewWork(download) // it waits, which a BH item must not
	_ = q.QueueOn(0, w)
	_ = q.QueueOn(0, cmwq.NewWork(upload))
	s := <-stalled
	fmt.Println("pool", s.Pool.Name, "stalls:", s.Pool.Waiting, "item waits, and", s.Running[0].Worker, "is blocked in", s.Running[0].Where.State)
	_, _ = w.CancelWait(context.Background())
	// Output: pool bh/0 stalls: 1 item waits, and bh/0 is blocked in select
}

// Hogs may be counted, or sent to who wrote them.
func ExampleWithOnHog() {
	hogs := make(chan cmwq.Hog, 100)
	sys, err := cmwq.New(cmwq.WithHogReport(1), cmwq.WithHogThreshold(time.Millisecond), silent(),
		cmwq.WithOnHog(func(h cmwq.Hog) { hogs <- h }))
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
		select {
		case h := <-hogs: // h.Where is its line, if it was seen, and h.Advice what may be done
			fmt.Println(filepath.Base(h.Func), "of queue", h.Queue, "has a CPU for more than", h.Threshold)
			told = true
		default:
		}
	}
	// Output: cmwq_test.factorise of queue maths has a CPU for more than 1ms
}

// Profiles of the CPU tell what each queue takes.
func ExampleWithProfileLabels() {
	sys, err := cmwq.New(cmwq.WithProfileLabels())
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("thumbnails")
	_ = q.Go(func(ctx *cmwq.Context) error {
		queue, _ := pprof.Label(ctx, "workqueue")
		fmt.Println(queue)
		return nil
	})
	_ = q.Flush(context.Background())
	// Output: thumbnails
}
