package actors

// own runs fn on a goroutine that is not used again, and ends with it: one that is locked
// to a thread takes the thread along. close waits for it, too.
func (d *dispatcher) own(fn func()) {
	d.mu.Lock()
	d.live++
	d.mu.Unlock()
	go func() {
		defer func() {
			d.mu.Lock()
			d.live--
			d.ended()
			d.mu.Unlock()
		}()
		unlabel()
		fn()
	}()
}
