package cmwq_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"time"

	"github.com/cmwq/cmwq"
)

func resize(ctx *cmwq.Context) error {
	ctx.SetDesc("cat.png")
	<-ctx.Done()
	return nil
}

func upload(*cmwq.Context) error { return nil }

// What runs, for how long, and what waits behind it.
func ExampleSystem_Dump() {
	sys, err := cmwq.New()
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())
	q, err := sys.NewQueue("images", cmwq.Ordered())
	if err != nil {
		panic(err)
	}
	w := cmwq.NewWork(resize)
	_ = q.Queue(w)
	for !w.Busy().Running {
		time.Sleep(time.Millisecond)
	}
	for range 3 {
		_ = q.Go(upload)
	}
	var text bytes.Buffer
	for !strings.Contains(text.String(), "idle") { // the manager makes a worker
		text.Reset()
		_ = sys.Dump(context.Background(), &text)
	}
	fmt.Print(steady(text.String()))
	_, _ = w.CancelWait(context.Background())
	// Output:
	// queue images: ordered
	//   on pool u: cpus=0-1 nice=0 active 1/1
	//     in flight: kworker/u:0 cmwq_test.resize for 0s, running, "cat.png"
	//     inactive: 3*cmwq_test.upload
	// pool u: cpus=0-1 nice=0 unbound, running 1, workers 2, waiting 0, idle: kworker/u:1
}

// steady leaves out what differs from run to run.
func steady(text string) string {
	text = regexp.MustCompile(`u\d+`).ReplaceAllString(text, "u")
	text = regexp.MustCompile(`cpus=\S+( node=\d+)?`).ReplaceAllString(text, "cpus=0-1")
	text = regexp.MustCompile(`for \S+s,`).ReplaceAllString(text, "for 0s,")
	return regexp.MustCompile(`github.com/cmwq/`).ReplaceAllString(text, "")
}

// A pool that stands still is logged, with what holds it up.
func ExampleWithWatchdog() {
	stalled := make(chan string, 100)
	sys, err := cmwq.New(
		cmwq.WithWatchdog(50*time.Millisecond),
		cmwq.WithLogger(slog.New(slog.NewTextHandler(lines(stalled), nil))))
	if err != nil {
		panic(err)
	}
	defer sys.Stop(context.Background())
	q, err := sys.NewQueue("rx", cmwq.BH())
	if err != nil {
		panic(err)
	}
	w := cmwq.NewWork(resize) // it waits, which a BH item must not
	_ = q.QueueOn(0, w)
	_ = q.QueueOn(0, cmwq.NewWork(upload))
	line := <-stalled
	fmt.Println(regexp.MustCompile(`level=\S+ msg="[^"]*" pool=\S+ kind=\S+`).FindString(line))
	_, _ = w.CancelWait(context.Background())
	// Output:
	// level=WARN msg="pool stalls: work waits, and nothing starts" pool=bh/0 kind=bh
}

// lines is a writer that sends what is written, a line at a time.
type lines chan string

func (c lines) Write(b []byte) (int, error) { c <- string(b); return len(b), nil }
