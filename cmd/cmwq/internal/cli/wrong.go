package cli

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/client"
	"github.com/cmwq/cmwq/cmd/cmwq/internal/monitor"
	"github.com/cmwq/cmwq/messages"
)

// wrong prints what is wrong, as far as it is seen at once.
func (a *app) wrong(ctx context.Context, c *client.Client) error {
	now, err := c.Snapshot(ctx)
	if err != nil {
		return err
	}
	return findings(ctx, a.out, c, monitor.Seen{}, now, nil, nil)
}

// findings are what is wrong with the queues that match; without a snapshot before, also
// what has failed since they were made. A program that cannot say where items are is
// believed by its numbers.
func findings(ctx context.Context, w io.Writer, c *client.Client, seen monitor.Seen, now, before *messages.Snapshot, filters []*regexp.Regexp) error {
	rows := monitor.Rows(now, before, filters)
	var items []messages.Diagnosed
	if monitor.Wonders(rows) || len(monitor.Alerts(now, rows)) > 0 {
		if d, err := c.Where(ctx); err == nil {
			items = d.Items
		}
	}
	alerts := monitor.Find(now, rows, items, seen)
	if before == nil {
		alerts = append(alerts, monitor.Failed(rows)...)
	}
	if len(filters) > 0 { // pools are anybody's
		alerts = slices.DeleteFunc(alerts, func(a monitor.Alert) bool {
			return !slices.ContainsFunc(rows, func(r monitor.Row) bool { return r.Name == a.Queue })
		})
	}
	if len(alerts) == 0 {
		return nil
	}
	fmt.Fprintln(w, "what is wrong:")
	return monitor.WriteAlerts(w, alerts, items)
}
