package messages

import "log/slog"

// LoggerKey finds the *slog.Logger that travels with an item.
type LoggerKey struct{}

// Named is an Ext.Msg of an item that may have an ID.
type Named interface {
	// Named gives the ID, if there is one.
	Named() (id string, ok bool)
}

// Logger gives a logger that says which queue, worker and attempt a record comes from,
// and which item, if that is a Future whose ID somebody has asked for. It is
// based on the one that travels with the item, else on the system's. Who logs with
// InfoContext(ctx, ...) and the like passes the item's context, so that a handler sees
// the values that travel with it. It allocates: keep it for as long as the item runs.
func (c *Context) Logger() *slog.Logger { return c.host.Logger() }
