// Package cli is the command tree: what each command is called, what it says of
// itself, and what it is told.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/client"
)

// What a command's exit status says.
const (
	exitOK      = 0
	exitFailed  = 1   // it could not be done, or a claim does not hold
	exitUsage   = 2   // it was not told right
	exitStopped = 130 // by an interrupt
)

// app is what the commands share.
type app struct {
	in       io.Reader
	out, err io.Writer
	addr     string
	now      func() time.Time
}

// usageError is an error of who gave the command.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// errClaim is a claim that does not hold; what does not was printed already.
var errClaim = errors.New("a claim does not hold")

// Main runs a command line, and gives its exit status.
func Main(ctx context.Context, args []string, in io.Reader, out, stderr io.Writer) int {
	a := &app{in: in, out: out, err: stderr, now: time.Now}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return exitStopped
	case errors.Is(err, errClaim):
		fmt.Fprintf(stderr, "cmwq: %v\n", err)
		return exitFailed
	case errors.As(err, &usage), misused(err):
		fmt.Fprintf(stderr, "cmwq: %v\nSee %s --help.\n", err, cmd.CommandPath())
		return exitUsage
	}
	fmt.Fprintf(stderr, "cmwq: %v\n", err)
	return exitFailed
}

// misused knows the errors that cobra finds before a command is asked.
func misused(err error) bool {
	return strings.HasPrefix(err.Error(), "unknown command") || strings.HasPrefix(err.Error(), "if any flags in the group")
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "cmwq",
		Short: "See what a program's workqueues do, and simulate what they would do",
		Long: `cmwq shows what the workqueues of a running program do: what runs, what waits and
why, who hogs and who is stuck. It asks the program's HTTP handler, which answers
its own machine only unless it is told otherwise:

	` + client.Mount + `
	` + client.Listen + `

cmwq sim runs the library's own decisions on a simulated machine, and cmwq bench
measures the library on this one; neither needs a program.`,
		Example: `  cmwq dump                        what is busy now
  cmwq monitor --interval 5s '^db' numbers of some queues, every five seconds
  cmwq top                         the same, live: sort, filter, look into a queue
  cmwq sim timeline my.txt         which item runs when
  cmwq sim affinity                what an affinity scope costs and gives
  cmwq bench                       what an item costs on this machine`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
	}
	root.SetVersionTemplate("cmwq {{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddGroup(
		&cobra.Group{ID: "see", Title: "See a running program:"},
		&cobra.Group{ID: "try", Title: "Try without one:"},
	)
	root.AddCommand(a.dump(), a.monitor(), a.top(), a.sim(), a.bench(), a.gen())
	return root
}

// remote adds what a command needs that asks a program.
func (a *app) remote(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().StringVar(&a.addr, "addr", "", "where the program's handler is: a URL, or host:port (default $CMWQ_ADDR, or "+client.DefaultAddr+")")
	cmd.GroupID = "see"
	return cmd
}

func (a *app) client() (*client.Client, error) {
	addr := a.addr
	if addr == "" {
		addr = os.Getenv("CMWQ_ADDR") // not the flag's default: help would show what is secret in it
	}
	c, err := client.New(addr)
	if err != nil {
		return nil, usageError{err}
	}
	return c, nil
}

// args marks errors of cobra's checks as the user's.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, a []string) error {
		if err := check(cmd, a); err != nil {
			return usageError{err}
		}
		return nil
	}
}
