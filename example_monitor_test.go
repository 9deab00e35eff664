package cmwq_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/cmwq/cmwq"
)

// How long work waits and runs, for a page or a script.
func ExampleWithMonitor() {
	ctx := context.Background()
	sys, err := cmwq.New(cmwq.WithMonitor())
	if err != nil {
		panic(err)
	}
	defer sys.Stop(ctx)
	q, err := sys.NewQueue("mail", cmwq.Ordered())
	if err != nil {
		panic(err)
	}
	for range 3 {
		_ = q.Go(func(ctx *cmwq.Context) error { return ctx.Sleep(10 * time.Millisecond) })
	}
	_ = q.Flush(ctx)
	snap, err := sys.Snapshot(ctx)
	if err != nil {
		panic(err)
	}
	mail := snap.Queues[0]
	fmt.Println(mail.Name, mail.Kind, mail.Stats.Total)
	fmt.Println(mail.Run.N, mail.Run.P50 >= 9*time.Millisecond)
	fmt.Println(mail.Wait.N, mail.Wait.P99 >= 18*time.Millisecond) // the last waited for two others
	// Output:
	// mail ordered 3
	// 3 true
	// 3 true
}

// The numbers of some queues, as a table.
func ExampleSystem_WriteMonitor() {
	ctx := context.Background()
	sys, err := cmwq.New()
	if err != nil {
		panic(err)
	}
	defer sys.Stop(ctx)
	for _, name := range []string{"disk", "net"} {
		q, _ := sys.NewQueue(name, cmwq.PerCPU())
		_ = q.Go(func(*cmwq.Context) error { return nil })
		_ = q.QueueAfter(time.Hour, cmwq.NewWork(func(*cmwq.Context) error { return nil }))
		_ = q.Flush(ctx)
	}
	_ = sys.WriteMonitor(ctx, os.Stdout, regexp.MustCompile("^d"))
	// Output:
	//                               total    infl   CPUtime  CPUhog CMW/RPR  mayday rescued delayed  failed retried    dead  cancel  wait50  wait99   run50   run99
	// disk                              1       0       0.0       0       0       -       -       1       0       0       0       0       -       -       -       -
}

// The same between two looks: what a program does now.
func ExampleStats_Since() {
	ctx := context.Background()
	sys, err := cmwq.New()
	if err != nil {
		panic(err)
	}
	defer sys.Stop(ctx)
	q, _ := sys.NewQueue("q")
	work := func(n int) {
		for range n {
			_ = q.Go(func(*cmwq.Context) error { return nil })
		}
		_ = q.Flush(ctx)
	}
	work(5)
	before, _ := q.Stats(ctx)
	work(3)
	now, _ := q.Stats(ctx)
	fmt.Println(now.Total, now.Since(before).Total)
	// Output:
	// 8 3
}
