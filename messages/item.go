package messages

import "sync/atomic"

// Item is a work item, or a control message that travels in the same list. It
// is intrusive: queueing it allocates nothing. 64 bytes.
type Item struct {
	Next, Prev *Item                // whoever has it listed
	state      atomic.Uint64        // A: see State
	Func       func(*Context) error // the owner of PENDING; nil in a control message
	ext        atomic.Pointer[Ext]  // A: set once, by the owner of PENDING; nil for most items
	When       int64                // when it is due, or came to a queue with a limit; ns since the system's start
	Home       *Home                // the owner of PENDING: the share or, while armed, the queue it is for
	Epoch      uint32               // P: flush epoch; delayer: index in the heap
	CPU        uint16               // the owner of PENDING: CPU to queue on when armed, AnyCPU for any
	Kind       Kind                 // I:
	List       List                 // P: the list it is on; delayer: OnHeap
}

// AnyCPU leaves the choice of a CPU to the queue.
const AnyCPU = 1<<16 - 1

// Kind tells what an Item is.
type Kind uint8

const (
	// KindWork is a reusable item: it has a state, and its owner may queue,
	// cancel and flush it. The zero Item is one.
	KindWork Kind = iota
	// KindCall is a closure: nobody else has it, so it needs no state; the
	// worker gives the Item back to a free list.
	KindCall
	// KindControl is a message to the pool or delayer.
	KindControl
)

// List tells which of the pool's lists an item is on.
type List uint8

const (
	// Unlisted: with a worker, with a producer, or idle.
	Unlisted List = iota
	// OnWorklist: active, waiting for a worker.
	OnWorklist
	// OnInactive: beyond its queue's max_active.
	OnInactive
	// OnParked: waiting for the worker that runs it now.
	OnParked
	// OnHeld: waiting for an item of the same key.
	OnHeld
	// OnPassing: waiting until the worker that runs it now is done, to be passed on
	// to another share of its queue.
	OnPassing
	// OnHeap: the delayer has it on its heap.
	OnHeap

	// Awaited is set beside one of them: somebody waits for this instance.
	Awaited List = 1 << 7
)

// Ext is what few items need.
type Ext struct {
	Msg   any    // I: the message of a control item; a Dropper for work that must be told
	Tries *Tries // the owner of PENDING: of an item that failed and is to run again
}

// Extend gives an item that the caller owns its Ext: once. A dump may look at it
// meanwhile.
func (it *Item) Extend(x *Ext) { it.ext.Store(x) }

// Extended says whether it has one.
func (it *Item) Extended() bool { return it.ext.Load() != nil }

// Msg is what hangs on an item, whoever owns it: nil for most.
func (it *Item) Msg() any {
	if x := it.ext.Load(); x != nil {
		return x.Msg
	}
	return nil
}

// Dropper is told when a work item that was accepted will never run.
type Dropper interface{ Dropped(err error) }

// Home is the share or the queue that an item is for.
type Home struct {
	Owner any // I:
}

// Control is a message to a pool or delayer with the node it travels on. Queued
// keeps a message that is sent again and again from being listed twice.
type Control struct {
	Item   Item
	Ext    Ext
	Queued atomic.Bool // A: listed, or about to be
}

// NewControl gives a message ready to be posted.
func NewControl(msg any) *Control {
	c := &Control{}
	c.Init(msg)
	return c
}

// Init makes c a message.
func (c *Control) Init(msg any) {
	c.Ext.Msg = msg
	c.Item.Kind = KindControl
	c.Item.Extend(&c.Ext)
}

// State reads the state word.
func (it *Item) State() State { return State(it.state.Load()) }

// Swap replaces state old by state next, if it still is old.
func (it *Item) Swap(old, next State) bool {
	return it.state.CompareAndSwap(uint64(old), uint64(next))
}
