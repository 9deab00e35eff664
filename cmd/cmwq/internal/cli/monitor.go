package cli

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/client"
	"github.com/cmwq/cmwq/cmd/cmwq/internal/monitor"
	"github.com/cmwq/cmwq/messages"
)

// watch is what monitor was told.
type watch struct {
	every   time.Duration
	count   int
	json    bool
	wide    bool
	columns []string

	filters []*regexp.Regexp
	show    []monitor.Column
	seen    monitor.Seen
}

func (a *app) monitor() *cobra.Command {
	var w watch
	cmd := &cobra.Command{
		Use:   "monitor [REGEX...]",
		Short: "Print the queues' numbers, again and again",
		Long: `monitor prints a line a queue every interval, with the columns of the kernel's
wq_monitor, exactly as it means them, and the rate of items since the line before.
Only queues whose name matches a regular expression are shown, if any is given.

` + columnHelp() + `
w50, w99, r50 and r99 need a program that measures times (WithMonitor); "-" is
what has no meaning for a queue, or is not known yet.

What is wrong goes to standard error, below the table: ! is stuck, H has the CPU for
long, S blocks without a word, F fails, P is paused or frozen. --columns and --json
have none of it.

With --json each queue is an object in a line of its own.`,
		Example: `  cmwq monitor
  cmwq monitor --interval 5s --count 12 '^db' cache
  cmwq monitor --columns rate,wait,wait99,failed
  cmwq monitor --json | jq -r 'select(.rate > 1000) | .name'`,
		ValidArgsFunction: a.completeQueues,
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := w.check(names); err != nil {
				return usageError{err}
			}
			c, err := a.client()
			if err != nil {
				return err
			}
			return a.watch(cmd.Context(), c, &w)
		},
	}
	f := cmd.Flags()
	f.DurationVar(&w.every, "interval", time.Second, "time between two lines of a queue")
	f.IntVar(&w.count, "count", 0, "end after so many (0: never)")
	f.BoolVar(&w.json, "json", false, "JSON, an object a line")
	f.BoolVarP(&w.wide, "wide", "w", false, "this library's own columns, too; needs 190 characters")
	f.StringSliceVar(&w.columns, "columns", nil, "which columns, and in what order")
	cmd.MarkFlagsMutuallyExclusive("json", "wide", "columns")
	must(cmd.RegisterFlagCompletionFunc("columns", cobra.FixedCompletions(monitor.Names(), cobra.ShellCompDirectiveNoFileComp)))
	return a.remote(cmd)
}

func columnHelp() string {
	var b strings.Builder
	for _, c := range monitor.Columns {
		fmt.Fprintf(&b, "  %-10s %-8s %s\n", c.Name, c.Head, c.Help)
	}
	return b.String()
}

func (w *watch) check(names []string) error {
	if w.every < 10*time.Millisecond {
		return fmt.Errorf("--interval %v: want 10ms or more", w.every)
	}
	if w.count < 0 {
		return fmt.Errorf("--count %d: want a number of times, or 0", w.count)
	}
	filters, err := patterns(names)
	if err != nil {
		return err
	}
	w.filters = filters
	if !w.json && len(w.columns) == 0 {
		w.seen = monitor.Seen{}
	}
	switch {
	case len(w.columns) > 0:
	case w.wide:
		w.columns = monitor.Wide
	default:
		w.columns = monitor.Kernel
	}
	w.show, err = monitor.Named(w.columns)
	return err
}

func patterns(names []string) (rs []*regexp.Regexp, err error) {
	for _, n := range names {
		r, err := regexp.Compile(n)
		if err != nil {
			return nil, err
		}
		rs = append(rs, r)
	}
	return rs, nil
}

// watch prints until it was told to end. A program that cannot be asked at first is
// an error; one that goes away later may come back.
func (a *app) watch(ctx context.Context, c *client.Client, w *watch) error {
	tick := time.NewTicker(w.every)
	defer tick.Stop()
	var before *messages.Snapshot
	for n := 1; ; n++ {
		s, err := c.Snapshot(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Canceled
		case err == nil:
			if err := a.lines(s, before, w, n == 1); err != nil {
				return err
			}
			if w.seen != nil {
				_ = findings(ctx, a.err, c, w.seen, s, before, w.filters) // apart from the table: a pipe has that alone
			}
			before = s
		case before == nil:
			return err
		default:
			first, _, _ := strings.Cut(err.Error(), "\n")
			fmt.Fprintf(a.err, "cmwq: %s; trying again\n", first)
		}
		if n == w.count {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Canceled
		}
	}
}

func (a *app) lines(s, before *messages.Snapshot, w *watch, first bool) error {
	rows := monitor.Rows(s, before, w.filters)
	if w.json {
		return monitor.WriteJSON(a.out, s.At, rows)
	}
	if !first {
		fmt.Fprintln(a.out)
	}
	return monitor.Write(a.out, rows, w.show)
}
