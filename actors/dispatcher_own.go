package actors

import (
	"runtime"

	"github.com/cmwq/cmwq/internal/threads"
)

// own runs fn on a goroutine that is not used again: close waits for its end.
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

// ownThread runs fn on a thread that nobody else uses and that ends with it. The main
// thread is none such: it cannot end, and what it may do stands for the whole process.
func (d *dispatcher) ownThread(fn func()) {
	d.own(func() {
		runtime.LockOSThread()
		if !threads.Main() {
			fn()
			return
		}
		moved := make(chan struct{})
		d.ownThread(func() { close(moved); fn() })
		<-moved // kept until then, so that the other has another
		runtime.UnlockOSThread()
	})
}
