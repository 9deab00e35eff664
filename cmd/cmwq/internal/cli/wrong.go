package cli

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"time"

	"github.com/cmwq/cmwq/cmd/cmwq/internal/client"
	"github.com/cmwq/cmwq/cmd/cmwq/internal/monitor"
	"github.com/cmwq/cmwq/messages"
)

// wrong prints what is wrong: as it is seen at once, or, if items of a queue run for long
// and none was met, when one is met within that time.
func (a *app) wrong(ctx context.Context, c *client.Client, patience time.Duration) error {
	const again = 50 * time.Millisecond
	until := time.Now().Add(patience)
	for {
		now, err := c.Snapshot(ctx)
		if err != nil {
			return err
		}
		alerts, items := find(ctx, c, monitor.Seen{}, now, nil, nil)
		unmet := slices.ContainsFunc(alerts, func(a monitor.Alert) bool { return a.Unmet })
		if !unmet || time.Now().After(until) {
			err := tell(a.out, alerts, items)
			if unmet {
				fmt.Fprintln(a.out, "    dump --seek 5s waits for so long until one runs")
			}
			return err
		}
		select {
		case <-time.After(again):
		case <-ctx.Done():
			return context.Canceled
		}
	}
}

// findings are what is wrong with the queues that match.
func findings(ctx context.Context, w io.Writer, c *client.Client, seen monitor.Seen, now, before *messages.Snapshot, filters []*regexp.Regexp) error {
	alerts, items := find(ctx, c, seen, now, before, filters)
	return tell(w, alerts, items)
}

// find gives what is wrong; without a snapshot before, also what has failed since the
// queues were made. A program that cannot say where items are is believed by its numbers.
func find(ctx context.Context, c *client.Client, seen monitor.Seen, now, before *messages.Snapshot, filters []*regexp.Regexp) (alerts []monitor.Alert, items []messages.Diagnosed) {
	rows := monitor.Rows(now, before, filters)
	if monitor.Wonders(rows) || len(monitor.Alerts(now, rows)) > 0 {
		if d, err := c.Where(ctx); err == nil {
			items = d.Items
		}
	}
	alerts = monitor.Find(now, rows, items, seen)
	if before == nil {
		alerts = append(alerts, monitor.Failed(rows)...)
	}
	if len(filters) > 0 { // pools are anybody's
		alerts = slices.DeleteFunc(alerts, func(a monitor.Alert) bool {
			return !slices.ContainsFunc(rows, func(r monitor.Row) bool { return r.Name == a.Queue })
		})
	}
	return alerts, items
}

func tell(w io.Writer, alerts []monitor.Alert, items []messages.Diagnosed) error {
	if len(alerts) == 0 {
		return nil
	}
	fmt.Fprintln(w, "what is wrong:")
	return monitor.WriteAlerts(w, alerts, items)
}
