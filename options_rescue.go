package cmwq

import "github.com/cmwq/cmwq/actors"

// MemReclaim promises that the queue gets on even if no worker can be made: it
// gets a rescuer, a worker of its own that is made with it and that runs nothing
// but its items, one after the other, while one of its pools is short of workers.
//
// A pool calls for help 10 ms after it asked for a worker in vain, and every
// 100 ms from then on. It is short of workers only while none is idle and fewer
// run than may: behind an item that keeps its CPU and never blocks nobody is
// rescued, as in the kernel. Costs an actor and a goroutine that sleep.
// (kernel: WQ_MEM_RECLAIM)
func MemReclaim() QueueOption { return func(o *queueOptions) { o.MemReclaim = true } }

// WithMemoryPressure says whether pools stop making workers while memory is
// short, which is the default. Then queued work waits for the workers that there
// are; queues with MemReclaim get on. A pool's first worker is always made, and a
// pool that was refused one asks again after a second.
//
// Memory is short when 95 % of the Go memory limit (GOMEMLIMIT) is in use by what
// no garbage collection frees, or, on Linux, when every task of the machine has
// waited for memory 20 % of the last ten seconds ("full avg10" of
// /proc/pressure/memory). Both are looked at when a worker is wanted, at most
// every 100 ms.
func WithMemoryPressure(on bool) Option {
	return func(o *actors.Options) error {
		o.Memory, o.IgnoreMemory = nil, !on
		return nil
	}
}
