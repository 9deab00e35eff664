package claims

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

// ErrNotHeld is the error of a run whose claims do not all hold.
var ErrNotHeld = errors.New("not all claims hold")

// Main runs a program, until it is interrupted, and ends it with status 1 if its claims
// do not hold or it failed, 2 for flags that make no sense.
func Main(run func(ctx context.Context, args []string, out, log io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(status(err))
	}
}

func status(err error) int {
	if u := new(UsageError); errors.As(err, &u) {
		return 2
	}
	return 1
}

// UsageError is an error in the flags.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap gives what was wrong.
func (e *UsageError) Unwrap() error { return e.Err }

// Flags makes the flags of a program, with -json.
func Flags(name string, log io.Writer) (flags *flag.FlagSet, asJSON *bool) {
	flags = flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(log)
	return flags, flags.Bool("json", false, "writes the report as JSON")
}

// Parse parses, and refuses what is no flag.
func Parse(flags *flag.FlagSet, args []string) error {
	if err := flags.Parse(args); err != nil {
		return &UsageError{err}
	}
	if flags.NArg() > 0 {
		return Usagef("unexpected %q", flags.Arg(0))
	}
	return nil
}

// Usagef is an error in the flags.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// Finish writes the report; its error is ErrNotHeld if claims do not hold.
func Finish(r *Report, out io.Writer, asJSON bool) error {
	if err := r.Write(out, asJSON); err != nil {
		return err
	}
	if !r.Holds {
		return ErrNotHeld
	}
	return nil
}
