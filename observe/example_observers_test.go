package observe_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime/trace"
	"strings"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe"
)

// The last events are kept, and written when something has gone wrong.
func ExampleNewRing() {
	last := observe.NewRing(1000)
	sys, err := cmwq.New(cmwq.WithObserver(observe.Only(last, cmwq.EventQueue, cmwq.EventStart, cmwq.EventEnd)))
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("mail", cmwq.Ordered())
	_ = q.Go(func(*cmwq.Context) error { return errors.New("no such address") })
	_ = q.Flush(context.Background())
	for _, e := range last.Events() {
		fmt.Println(e.Kind, e.Queue, e.Err)
	}
	var text strings.Builder
	_, _ = last.WriteTo(&text)
	fmt.Println(strings.Count(text.String(), "\n"), "lines")
	// Output:
	// queue mail <nil>
	// start mail <nil>
	// end mail no such address
	// 3 lines
}

// Failures go to the log, with the name of what failed. Of other events nothing is told,
// and nothing is paid for them.
func ExampleSlog() {
	short := func(_ []string, a slog.Attr) slog.Attr {
		switch a.Key {
		case slog.TimeKey, "item", "worker", "pool": // they differ from run to run
			return slog.Attr{}
		}
		return a
	}
	log := observe.Slog(slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: short})),
		slog.LevelInfo, cmwq.EventFail, cmwq.EventMayday)
	sys, err := cmwq.New(cmwq.WithObserver(log), cmwq.WithOnFailure(func(string, error) {}))
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("mail")
	_ = q.Go(send)
	_ = q.Flush(context.Background())
	_ = log.Flush(context.Background())
	// Output:
	// level=WARN msg=fail queue=mail func=github.com/cmwq/cmwq/observe_test.send err="no such address"
}

func send(*cmwq.Context) error { return errors.New("no such address") }

// A ring that keeps what is rare keeps it for long, and an item pays nothing for it.
func ExampleOnly() {
	staff := observe.NewRing(100)
	sys, err := cmwq.New(cmwq.WithObserver(observe.Only(staff, cmwq.EventCreate, cmwq.EventCull, cmwq.EventMayday)))
	if err != nil {
		panic(err)
	}
	q, _ := sys.NewQueue("import", cmwq.MemReclaim())
	_ = q.Go(func(*cmwq.Context) error { return nil })
	_ = sys.Stop(context.Background()) // a rescuer is made while its queue is in use already
	for _, e := range staff.Events() {
		if e.Queue != "" { // a rescuer's worker is a queue's
			fmt.Println(e.Kind, e.Worker)
		}
	}
	// Output:
	// create kworker/R-import
}

// While a trace is taken, each execution is a task of it, named as the queue.
func ExampleTrace() {
	sys, err := cmwq.New(cmwq.WithObserver(observe.Trace()))
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())
	q, _ := sys.NewQueue("thumbnails")
	var out bytes.Buffer // a file, as a rule: go tool trace FILE
	if err := trace.Start(&out); err != nil {
		panic(err)
	}
	_ = q.Go(func(*cmwq.Context) error { return nil })
	_ = q.Flush(context.Background())
	trace.Stop()
	fmt.Println(strings.Contains(out.String(), "thumbnails"))
	// Output:
	// true
}
