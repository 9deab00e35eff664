package actors

import (
	"sync"

	"github.com/cmwq/cmwq/messages"
)

// What an ask is: most places are idle, and answer on the asker's goroutine, which then
// has no need of a channel.
const (
	askOpen    = uint32(iota)
	askAwaited // the asker sleeps
	askTold
)

// tell is the answer: the last that its place does with an ask.
func (a *ask) tell(v verdict) {
	a.verdict = v
	if a.told.Swap(askTold) == askAwaited {
		a.wake <- struct{}{}
	}
}

// hear waits for it.
func (a *ask) hear() verdict {
	if a.told.Load() != askTold {
		wake := make(chan struct{}, 1) // a channel may not be used again in another synctest bubble
		a.wake = wake
		if a.told.CompareAndSwap(askOpen, askAwaited) {
			<-wake
		}
	}
	return a.verdict
}

// asks are used again: an ask that was answered is nobody's but the asker's, unless it
// asked to be told of an end.
var asks = sync.Pool{New: func() any { return newAsk(askCancel, nil) }}

// borrowAsk gives an ask for cancel or Modify, which is to be given back.
func borrowAsk(what askKind, it *messages.Item) *ask {
	a := asks.Get().(*ask)
	a.what, a.item = what, it
	return a
}

func (a *ask) giveBack() {
	a.item, a.home, a.f, a.at, a.pool = nil, nil, nil, nil, nil
	a.after, a.waits, a.on, a.by, a.wake, a.fails = nil, nil, nil, nil, nil, false
	a.ctl.Item.Next, a.ctl.Item.Prev = nil, nil
	a.told.Store(askOpen)
	asks.Put(a)
}
