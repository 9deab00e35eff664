package actors

import "github.com/cmwq/cmwq/messages"

// Current is the item that the worker runs, and its description. The item, and
// goroutines that it started, may ask.
func (w *worker) Current() (*messages.Item, string) {
	if w.cur == nil {
		return nil, ""
	}
	if d := w.desc.Load(); d != nil {
		return w.cur, *d
	}
	return w.cur, w.home.queue.name[:min(len(w.home.queue.name), maxDesc)]
}
