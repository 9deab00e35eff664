// Command idpf measures how long items wait from queueing to start while another process
// takes their CPU: the report of a network driver whose work, bound to CPU 0, waited for
// up to 30 ms beside a busy process, and 6 µs once its queue was unbound.
//
//	go run ./examples/idpf           needs CAP_SYS_NICE for all of it, as root has
//	go run ./examples/idpf -json
//
// It ends with status 1 when a claim does not hold.
package main

import (
	"context"
	"io"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/examples/internal/claims"
	"github.com/cmwq/cmwq/topology"
)

func main() {
	if how := os.Getenv(antagonistEnv); how != "" {
		antagonistMain(how)
	}
	claims.Main(run)
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	flags, asJSON := claims.Flags("idpf", log)
	each := flags.Duration("each", time.Second, "how long each queue is measured, 100ms to 3s")
	ratio := flags.Float64("ratio", 1000, "how much longer a bound item must wait than an unbound one")
	if err := claims.Parse(flags, args); err != nil {
		return err
	}
	if *each < 100*time.Millisecond || *each > 3*time.Second {
		return claims.Usagef("-each %v is not within 100ms and 3s", *each)
	}
	// A starved thread keeps a place among GOMAXPROCS from everybody else, and a collection
	// of garbage would wait for it.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	cpus, err := topology.Detect()
	if err != nil {
		return err
	}
	l := &lab{
		each: *each, ratio: *ratio, cpu: cpus.CPUs().List()[0], antagonists: []string{none, plain, nicest, realtime},
		options: []cmwq.Option{cmwq.WithHogReport(0), cmwq.WithLogger(slog.New(slog.NewTextHandler(log, nil)))},
	}
	found, err := l.measure(ctx)
	if err != nil {
		return err
	}
	return claims.Finish(report(found, claims.ThisMachine()), out, *asJSON)
}
