// Command hog measures how long an item waits behind one that holds its CPU, and what
// helps: the report of a job of 5 s that took 15 s, reproduced.
//
//	go run ./examples/hog                 an item that burns 500 ms
//	go run ./examples/hog -hog 10s        as it was reported; takes a minute and a half
//	go run ./examples/hog -json
//
// It ends with status 1 when a claim does not hold.
package main

import (
	"context"
	"io"
	"log/slog"
	"runtime"
	"time"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/examples/internal/claims"
)

func main() { claims.Main(run) }

func run(ctx context.Context, args []string, out, log io.Writer) error {
	flags, asJSON := claims.Flags("hog", log)
	hog := flags.Duration("hog", 500*time.Millisecond, "how long the hog burns a CPU, 300ms to 1m")
	times := flags.Int("times", 5, "how often what should be short is measured; the median counts")
	if err := claims.Parse(flags, args); err != nil {
		return err
	}
	if *times < 1 {
		return claims.Usagef("-times %d is not positive", *times)
	}
	if *hog < 300*time.Millisecond || *hog > time.Minute {
		return claims.Usagef("-hog %v is not within 300ms and 1m", *hog)
	}
	// Two CPUs are what it takes, and more would only mean more to keep busy.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	l := &lab{
		hog: *hog, times: *times, jobs: min(*times, 3), others: 1,
		burn: spin,
		options: []cmwq.Option{
			cmwq.WithHogReport(0), cmwq.WithLogger(slog.New(slog.NewTextHandler(log, nil))),
		},
	}
	if *hog > 2*time.Second {
		l.jobs = 1
	}
	found, err := l.measure(ctx)
	if err != nil {
		return err
	}
	return claims.Finish(report(found, claims.ThisMachine()), out, *asJSON)
}

// spin holds a CPU for d.
func spin(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
	}
}
