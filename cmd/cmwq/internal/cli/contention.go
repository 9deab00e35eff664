package cli

import (
	"github.com/spf13/cobra"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/simcmd"
)

func (a *app) contention() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "contention",
		Short: "What one pool for many CPUs costs, beside published measurements",
		Long: `contention has 72 CPUs under one cache queue short items, with each affinity scope: the
finer the scope, the fewer CPUs share a pool. It prints the rates beside those measured
on such a machine, says which are fitted and which predicted, and exits with status 1 if
their order does not hold.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var c *simcmd.Contended
			err := within(cmd.Context(), func() (err error) {
				c, err = simcmd.Contention(cmd.Context(), 50_000)
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				err = c.WriteJSON(a.out)
			} else {
				_, err = c.WriteTo(a.out)
			}
			if err == nil && !c.Claim.Holds {
				err = errClaim
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "JSON")
	return cmd
}
