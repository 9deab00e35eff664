package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
)

func (a *app) dump() *cobra.Command {
	var sections, where, asJSON bool
	var seek time.Duration
	cmd := &cobra.Command{
		Use:   "dump",
		Short: "Print what is busy: what runs, what waits, who waits for it",
		Long: `dump prints the program's busy queues and pools, in the manner of the kernel's
show_all_workqueues: for each queue and pool what is in flight with its seconds,
what is pending, what is inactive because max_active is reached, and who waits
for an item (BAR). Items in a row that call the same function are one, with their
number in front. Then the pools: workers that count as runnable against the width,
items that wait, and for how long the pool has made no progress. Then the hogs that the
program reported last, with the line that each was seen at. At the end it says what is
wrong, a line each: ! is stuck (nothing began for 10 s), H has the CPU for long (200 ms),
S blocks without a word, F has failed, P is paused or frozen. Items that run for long but
seldom may not be there just then: --seek 5s waits for one for so long.

With --sections it prints everything there is, in the manner of wq_dump: affinity
scopes, worker pools, which queue uses which pool, rescuers, and limits by node.

With --where it prints the items in flight alone, and where each is: running, or what
it is blocked in, and at which line of the program.

With --json it prints the snapshot itself, as the program sent it; with --json --where
where each item in flight is, with its stack.`,
		Example: `  cmwq dump
  cmwq dump --json | jq '.queues[] | select(.stats.failed > 0) | .name'
  cmwq dump --where
  cmwq dump --seek 5s
  CMWQ_ADDR=10.0.0.7:6070 cmwq dump --sections`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if sections && (where || asJSON) {
				return usageError{errors.New("--sections is text, of queues and pools: it goes with neither --where nor --json")}
			}
			if seek < 0 || seek > time.Hour {
				return usageError{fmt.Errorf("--seek %v: want 0 to 1h", seek)}
			}
			c, err := a.client()
			if err != nil {
				return err
			}
			if asJSON {
				ask := c.Raw
				if where {
					ask = c.RawWhere
				}
				raw, err := ask(cmd.Context())
				if err != nil {
					return err
				}
				return indented(a.out, raw)
			}
			var text string
			if where {
				text, err = c.WhereText(cmd.Context())
			} else {
				text, err = c.Dump(cmd.Context(), sections)
			}
			if err != nil {
				return err
			}
			if _, err := io.WriteString(a.out, text); err != nil || where || sections {
				return err
			}
			return a.wrong(cmd.Context(), c, seek)
		},
	}
	cmd.Flags().BoolVar(&sections, "sections", false, "everything, idle or not, in five sections")
	cmd.Flags().BoolVar(&where, "where", false, "where each item in flight is")
	cmd.Flags().DurationVar(&seek, "seek", 0, "wait for so long to see what long items of a queue do, if none is there")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return a.remote(cmd)
}

func indented(w io.Writer, raw []byte) error {
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err := b.WriteTo(w)
	return err
}
