package messages

import "log/slog"

// LoggerKey finds the *slog.Logger that travels with an item.
type LoggerKey struct{}

// Logger gives a logger that says which queue and worker a record comes from. It is
// based on the one that travels with the item, else on the system's. Who logs with
// InfoContext(ctx, ...) and the like passes the item's context, so that a handler sees
// the values that travel with it. It allocates: keep it for as long as the item runs.
func (c *Context) Logger() *slog.Logger { return c.host.Logger() }
