package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/top"
)

func (a *app) top() *cobra.Command {
	var every time.Duration
	cmd := &cobra.Command{
		Use:   "top [FILTER]",
		Short: "Watch the queues live: sort, filter, look into one",
		Long: `top shows the program's queues in a table, renewed every interval, what is stuck,
hogs or fails on top. Only queues whose name contains FILTER are shown, if it is
given. ? shows the keys; q quits.

It needs a terminal of 80 by 24 or so; wider ones show more columns. Colours are
those of the terminal, and none if $NO_COLOR is set.`,
		Example: `  cmwq top
  cmwq top --interval 250ms disk`,
		Args:              args(cobra.MaximumNArgs(1)),
		ValidArgsFunction: a.completeQueues,
		RunE: func(cmd *cobra.Command, names []string) error {
			if every < 100*time.Millisecond {
				return usageError{fmt.Errorf("--interval %v: want 100ms or more", every)}
			}
			c, err := a.client()
			if err != nil {
				return err
			}
			if !isTerminal(a.out) || !isTerminal(a.in) {
				return errors.New("top needs a terminal; cmwq monitor does not")
			}
			if _, err := c.Snapshot(cmd.Context()); err != nil {
				return err // said here it can be read
			}
			filter := ""
			if len(names) > 0 {
				filter = names[0]
			}
			return live(cmd.Context(), top.New(cmd.Context(), c, every, filter), a.in, a.out)
		},
	}
	cmd.Flags().DurationVar(&every, "interval", time.Second, "time between two questions")
	return a.remote(cmd)
}

func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(file.Fd())
}

// live runs the view on a terminal until its user quits.
func live(ctx context.Context, m top.Model, in io.Reader, out io.Writer) error {
	opts := []tea.ProgramOption{tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler()}
	if os.Getenv("NO_COLOR") != "" { // whatever its value: no-color.org
		opts = append(opts, tea.WithColorProfile(colorprofile.Ascii))
	}
	_, err := tea.NewProgram(m, opts...).Run()
	if ctx.Err() != nil {
		return context.Canceled
	}
	return err
}
