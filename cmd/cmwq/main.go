// Command cmwq shows what a program's workqueues do, and simulates what they
// would do. See cmwq help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
