package messages

// Current is the item that runs, nil if none does any more, and the description of
// its worker: what the item gave to SetDesc, else the queue's name.
func (c *Context) Current() (it *Item, desc string) { return c.host.Current() }

// Comm is how a worker is listed: its name, and with a + what it is doing, or with a
// - what it did last.
func Comm(worker, desc string, busy bool) string {
	switch {
	case desc == "":
		return worker
	case busy:
		return worker + "+" + desc
	default:
		return worker + "-" + desc
	}
}
