package cmwq

import (
	"fmt"
	"time"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
)

// WithMonitor measures how long items wait, from queueing to start, and run, from start to
// end, for the Wait and Run of a QueueSnapshot; without it they are empty. Work that was
// armed waits from when its timer fired.
//
// Work that takes 2.5 µs or more, or comes one at a time, is measured each time; of a flood
// of shorter work a random part is, down to one in 512, and counts for the rest. Quantiles
// are within 6 %. A queue keeps 100 bytes for each pool where it had work, and 16 for each
// different duration that it met, of which there are as a rule a few dozen; nothing of
// it is shared, and a flood of empty items loses a few per cent.
func WithMonitor() Option {
	return func(o *actors.Options) error { o.Monitor = true; return nil }
}

// WithWatchdog changes how long work may wait in a pool that makes no progress
// before that is logged as a stall, with what runs and what waits; it is logged
// again each period until something starts. The default is 30 s; 0 turns it off.
//
// Progress is a worker that begins a lease, or work that comes onto an empty list; a
// long item behind which nothing waits is no stall. A stall is found after one to
// two periods. A pool where nothing waits costs nothing.
// (kernel: workqueue.watchdog_thresh)
func WithWatchdog(d time.Duration) Option {
	return func(o *actors.Options) error {
		if d < 0 {
			return fmt.Errorf("%w: WithWatchdog(%v)", messages.ErrOption, d)
		}
		if o.Watchdog = d; d == 0 {
			o.Watchdog = -1
		}
		return nil
	}
}

// WithHogReport changes how often a function must be declared a CPU hog before that
// is logged, with the advice to use an Unbound or CPUIntensive queue; after that it
// is logged at ever greater distances, for the first 128 functions. The default is 4,
// hence 4, 5, 7, 11, 19, 35, 67...; 0 never logs.
// (kernel: workqueue.cpu_intensive_warning_thresh)
func WithHogReport(n int) Option {
	return func(o *actors.Options) error {
		if n < 0 {
			return fmt.Errorf("%w: WithHogReport(%d)", messages.ErrOption, n)
		}
		if o.HogReport = n; n == 0 {
			o.HogReport = -1
		}
		return nil
	}
}
