// Command observe is something to look at: a shop whose queues are busy, and in trouble.
//
//	go run ./examples/observe            until it is interrupted
//	go run ./examples/observe -stall     with a queue that is stuck from the beginning
//
// It prints the address of the live page. There is a queue that fails, one that hogs CPUs,
// one whose items sleep without saying so, and one that a button makes stand still: find
// them, with the page, or with the command cmwq from another terminal:
//
//	go -C cmd/cmwq run . top             or dump, or monitor
//
// The page may pause queues here, since it is for this machine alone.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/cmwq/cmwq"
	"github.com/cmwq/cmwq/observe"
	"github.com/cmwq/cmwq/observe/metrics"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const usage = `A shop whose queues are busy, and in trouble: one fails, one hogs CPUs, one blocks without
saying so, and with -stall one stands still. Find them: open the page whose address is
printed, or ask from another terminal, in the folder that has go.mod:

	go -C cmd/cmwq run . top
	go -C cmd/cmwq run . dump

`

func run(ctx context.Context, args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("observe", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.Usage = func() {
		fmt.Fprint(log, usage)
		flags.PrintDefaults()
	}
	addr := flags.String("addr", "127.0.0.1:6070", "address of the page; the page answers this machine only")
	life := flags.Duration("for", 0, "ends after that time; 0: when it is interrupted")
	stalled := flags.Bool("stall", false, "has the audit stand still from the beginning")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *life > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, *life)
		defer cancel()
	}
	logger := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	sys, err := cmwq.New(cmwq.WithLogger(logger), cmwq.WithMonitor(), cmwq.WithOnFailure(func(string, error) {}))
	if err != nil {
		return err
	}
	s, err := open(sys)
	if err != nil {
		return err
	}
	if *stalled {
		s.stall()
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", *addr)
	if err != nil {
		return err
	}
	srv := &http.Server{Handler: site(sys, s), ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(listener) }()
	fmt.Fprintf(out, "the page: http://%s/debug/cmwq/\n", listener.Addr())
	fmt.Fprintf(out, "have the audit stand still, and go on: http://%s/\n", listener.Addr())

	s.trade(ctx) // until ctx ends
	s.release()
	// Who looks is let go first, then what was accepted is done.
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := errors.Join(srv.Shutdown(end), sys.Stop(end)); err != nil {
		return err
	}
	audit, _ := s.audit.Stats(end) // ErrStopped, but for what was dropped
	fmt.Fprintf(out, "%d orders came; the audit missed %d\n", s.orders.Load(), audit.Dropped)
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// site is the page, and a page with two buttons.
func site(sys *cmwq.System, s *shop) http.Handler {
	mux := http.NewServeMux()
	registry := prometheus.NewRegistry()
	registry.MustRegister(metrics.New(sys))
	mux.Handle("/debug/cmwq/", observe.Handler(sys, observe.Controls(), observe.Stacks(),
		observe.Metrics(promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, `<!doctype html><meta charset="utf-8"><title>A shop</title><meta name="color-scheme" content="dark light">
<h1>A shop</h1><p><a href="debug/cmwq/">Look at its queues</a></p>
<form method="post" action="stall"><button>Have the audit stand still</button></form>
<form method="post" action="release"><button>Let it go on</button></form>
`)
	})
	for path, do := range map[string]func(){"POST /stall": s.stall, "POST /release": s.release} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			do()
			http.Redirect(w, r, "./", http.StatusSeeOther)
		})
	}
	return http.NewCrossOriginProtection().Handler(mux)
}
