package cmwq

import (
	"fmt"
	"time"

	"github.com/cmwq/cmwq/messages"
)

// What an item was at when its time was up.
const (
	PhaseWaiting = messages.PhaseWaiting
	PhaseRunning = messages.PhaseRunning
)

// MaxWait limits how long each item may wait for its turn: one that had to wait for d
// is not called, and fails with a *TimeoutError of PhaseWaiting. 0, the default, is no
// limit; below 0 is ErrOption. See WaitAtMost for single items.
//
// It counts from the moment the item comes to the queue: one that was armed comes when
// it is due, or when Flush queues it. Whether it waits for a slot of MaxActive, behind
// its key, for a CPU or in a frozen queue is all the same. A Work, and a function of Go,
// is found to be late when its turn comes: until then it keeps its place, is pending, and
// may be cancelled; its turn counts in Stats.Total. A Future of Submit has its error on
// the spot, and its function leaves the queue.
//
// Some 50 ns an item, for a look at the clock when it is queued and when it has its
// turn. A Future has a timer, too. The kernel has no such limit.
func MaxWait(d time.Duration) QueueOption { return func(o *queueOptions) { o.Limits.Wait = d } }

// MaxRun limits how long each item may run, sleeps included. When d has passed its
// context ends: Err is context.DeadlineExceeded, the cause a *TimeoutError of
// PhaseRunning; Deadline tells when that will be. The item has failed with such an error
// then, whatever it returns; an error of its own is in TimeoutError.Err. A panic stays a
// *PanicError. 0, the default, is no limit; below 0 is ErrOption. See RunAtMost for
// single items.
//
// Nothing can end a function that does not heed its context: it goes on, keeps its slot
// and its worker, and a second after the deadline the log says so, with its name; once
// for each item, and for a function that does it again and again the first time, the
// second, the fourth, and so on.
//
// Some 2 µs and 18 allocations an item, for its context and two timers. The kernel has no such limit.
func MaxRun(d time.Duration) QueueOption { return func(o *queueOptions) { o.Limits.Run = d } }

func (o *queueOptions) checkLimits() error {
	if l := o.Limits; l.Wait < 0 || l.Run < 0 {
		return fmt.Errorf("%w: MaxWait(%v), MaxRun(%v)", messages.ErrOption, l.Wait, l.Run)
	}
	return nil
}
