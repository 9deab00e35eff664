package cli

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// gen writes what packages of the command want beside it.
func (a *app) gen() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "gen",
		Short: "Write manual pages",
		Args:  args(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	man := &cobra.Command{
		Use:   "man DIR",
		Short: "Write a manual page for each command into a directory",
		Example: `  cmwq gen man ~/.local/share/man/man1
  man cmwq-sim-timeline`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if err := os.MkdirAll(dirs[0], 0o755); err != nil {
				return err
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			return doc.GenManTree(root, &doc.GenManHeader{Title: "CMWQ", Section: "1", Source: "cmwq", Manual: "cmwq"}, dirs[0])
		},
	}
	cmd.AddCommand(man)
	return cmd
}
