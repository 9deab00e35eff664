package cmwq

import (
	"fmt"
	"strings"

	"github.com/cmwq/cmwq/actors"
	"github.com/cmwq/cmwq/messages"
)

// BH runs the queue's items one after the other, in the order of queueing, on the
// runner of each CPU: no workers, no limit, the least delay and the least cost. It
// is for short items, because an item that waits holds up every BH item of that CPU
// and priority: ctx.Sleep, Await and Future.Wait give ErrAtomic where they would
// wait, and ctx.Block panics with it. ctx.Yield is no sleep.
//
// An item never runs on the goroutine that queues it, which may hold a lock that
// the item takes. After ten leases or 2 ms in a row the runner goes on behind
// whoever waits for a CPU.
//
// HighPri gives the queue runners of its own kind; PerCPU may be said, too, and
// says nothing new; every other option is refused. SetMaxActive gives ErrBH.
// (kernel: WQ_BH)
func BH() QueueOption { return kind(actors.BH) }

// kindSet is the set of kinds that were asked for, a bit each.
type kindSet uint8

func (s kindSet) has(k actors.Kind) bool { return s&(1<<k) != 0 }

// kindNames are the options that choose a kind.
var kindNames = map[actors.Kind]string{
	actors.PerCPU: "PerCPU", actors.Unbound: "Unbound", actors.Ordered: "Ordered", actors.BH: "BH",
}

// notWithBH are the options that a BH queue refuses, beside other kinds.
var notWithBH = []struct {
	name string
	set  func(*queueOptions) bool
}{
	{"CPUIntensive", func(o *queueOptions) bool { return o.CPUIntensive }},
	{"MaxActive", func(o *queueOptions) bool { return o.MaxActive != 0 }},
	{"MemReclaim", func(o *queueOptions) bool { return o.MemReclaim }},
	{"Freezable", func(o *queueOptions) bool { return o.Freezable }},
	{"MinActive", func(o *queueOptions) bool { return o.MinActive != 0 }},
	{"Nice, CPUs and Affinity", func(o *queueOptions) bool { return o.attrs }},
}

// checkKinds lets a queue be of one kind, and a BH queue be nothing else.
func (o *queueOptions) checkKinds() error {
	kinds := o.kinds
	if kinds.has(actors.BH) {
		o.Kind = actors.BH
		kinds &^= 1 << actors.PerCPU // it is
	}
	var said []string
	for k := actors.PerCPU; k <= actors.BH; k++ {
		if kinds.has(k) {
			said = append(said, kindNames[k])
		}
	}
	if len(said) > 1 {
		return fmt.Errorf("%w: %s exclude each other", messages.ErrOption, strings.Join(said, " and "))
	}
	if o.Kind != actors.BH {
		return nil
	}
	for _, no := range notWithBH {
		if no.set(o) {
			return fmt.Errorf("%w: BH excludes %s", messages.ErrOption, no.name)
		}
	}
	return nil
}
