package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/simcmd"
	"github.com/cmwq/cmwq/topology"
)

func (a *app) advise() *cobra.Command {
	var machine, load string
	var seeds, items int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "advise",
		Short: "Which affinity scope suits a machine and a load",
		Long: `advise tries every affinity scope, strict and not, with a load on a simulated machine,
and says which one suits: the most items; of those as good the shortest waits; of those
the least CPU and the fewest pools.

The machine is this one, or a text such as "numa:2 llc:2 core:6 smt:2": so many memory
nodes, each with so many last-level caches, cores, and threads a core. 8192 CPUs are
the most.

Workers are threads here, which stay in their pods as the kernel's do. Those of a Go program
are goroutines, and Go runs them where it likes: there a scope says how many CPUs share a
pool (turn), and not where its items run (cold, far).

A load is issuers that each have some items under way: an issuer burns CPU to issue one,
a worker burns CPU on it, then a device has it for a while, and its issuer has it back.
It is a preset, then what differs, as key=value:

  crypt    encryption of a disk; one issuer for three CPUs
  nop      a thread a CPU queues one item after the other that does nothing; turn
           and device are as measured on a machine of 72 CPUs

  issuers  threads that issue           depth    items under way for each
  burst    CPU to issue one             work     CPU of an item
  device   mean time until it is back   turn     a pool's own time for an item
  cold     extra work in another cache  far      ... in another memory node: 0.02 or 2%
  pinned   an issuer stays on its CPU   smt      speed of a thread whose sibling is busy
  steal, migrate, move                  how the scheduler moves threads: see sim affinity`,
		Example: `  cmwq sim advise
  cmwq sim advise --topology 'llc:4 core:3 smt:2' --load 'crypt issuers=4'
  cmwq sim advise --topology core:72 --load nop
  cmwq sim advise --topology 'numa:8 llc:125 core:2 smt:2' --load 'depth=8 work=1ms far=30%'`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := machineOf(machine)
			if err != nil {
				return err
			}
			l, err := simcmd.ParseLoad(load, t.NumCPU())
			if err != nil {
				return usageError{fmt.Errorf("--load: %w", err)}
			}
			if seeds < 0 || seeds > 1000 {
				return usageError{fmt.Errorf("--seeds %d: want at most 1000", seeds)}
			}
			if items < 0 || items > 10_000_000 {
				return usageError{fmt.Errorf("--items %d: want at most ten million", items)}
			}
			var advice *simcmd.Advice
			err = within(cmd.Context(), func() (err error) {
				advice, err = simcmd.Advise(cmd.Context(), t, l, seeds, items)
				return err
			})
			switch {
			case err != nil:
				return err
			case asJSON:
				return advice.WriteJSON(a.out)
			}
			_, err = advice.WriteTo(a.out)
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&machine, "topology", "", "the machine, as text (default: this one)")
	f.StringVar(&load, "load", "crypt", "what the items do")
	f.IntVar(&seeds, "seeds", 0, "so many runs of each scope, with seeds from 1 (0: three, or one for more than 512 CPUs)")
	f.IntVar(&items, "items", 0, "so many measured in each run (0: enough for the load)")
	f.BoolVar(&asJSON, "json", false, "JSON")
	return cmd
}

func machineOf(text string) (*topology.Topology, error) {
	if text == "" {
		return topology.Detect()
	}
	t, err := topology.Parse(text)
	if err != nil {
		return nil, usageError{err}
	}
	return t, nil
}
