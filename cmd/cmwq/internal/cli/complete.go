package cli

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/client"
)

// completing is how long a shell waits for a program's names.
const completing = 500 * time.Millisecond

// completeQueues completes the names of the queues of the program that runs.
func (a *app) completeQueues(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	const nothing = cobra.ShellCompDirectiveNoFileComp
	c, err := a.client()
	if err != nil {
		return nil, nothing
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), completing)
	defer cancel()
	s, err := c.Snapshot(ctx)
	if err != nil {
		return nil, nothing
	}
	var names []string
	for i := range s.Queues {
		q := &s.Queues[i]
		if n := regexp.QuoteMeta(q.Name); strings.HasPrefix(n, begun) && n == client.CleanLine(n) {
			names = append(names, n+"\t"+strings.Join(q.Flags, " "))
		}
	}
	return names, nothing
}

// must is for what only a slip of ours makes fail.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
