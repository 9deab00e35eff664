package cli

import (
	"context"

	"github.com/spf13/cobra"
)

func (a *app) sim() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "sim",
		GroupID: "try",
		Short:   "Run the library's own decisions on a simulated machine",
		Long: `sim runs the decisions of the library's pools, the very code that runs in a
program, on a machine that exists only in virtual time: the same each time, to the
microsecond, and on machines that you do not have.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.timeline(), a.affinity(), a.contention(), a.advise())
	return cmd
}

// within runs what cannot be told to stop; an interrupt does not wait for it.
func within(ctx context.Context, do func() error) error {
	if ctx.Err() != nil {
		return context.Canceled
	}
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Canceled
	}
}
